// SPDX-License-Identifier: MIT
// ok and is, as in Perl's tests; a test that fails prints the value that it got.

export function ok(fine, name) {
    console.log(`${fine ? 'ok' : 'not ok'} - ${name}`);
}

export function is(got, expected, name) {
    const [a, b] = [got, expected].map(value => JSON.stringify(value));
    ok(a === b, name);
    if (a !== b) console.log(`# got      ${a}\n# expected ${b}`);
}
