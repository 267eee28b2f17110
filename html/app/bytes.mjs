// SPDX-License-Identifier: MIT
// Bytes to numbers and text: the format is in xs/pages/DATA.

export function fromBase64(text) {
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    return bytes;
}

export async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    u() {
        let value = 0;
        for (let scale = 1; ; scale *= 128) {
            if (this.at >= this.bytes.length) throw new RangeError(`data.js ends at byte ${this.at}, within a number`);
            const byte = this.bytes[this.at++];
            value += (byte & 127) * scale;
            if (byte < 128) return value;
        }
    }

    i() {
        const coded = this.u();
        return coded % 2 ? -(coded + 1) / 2 : coded / 2;
    }

    column(n, Type = Float64Array) {
        const column = new Type(n);
        for (let k = 0; k < n; k++) column[k] = this.u();
        return column;
    }

    signed(n) {
        const column = new Float64Array(n);
        for (let k = 0; k < n; k++) column[k] = this.i();
        return column;
    }

    raw(n) {
        if (this.at + n > this.bytes.length) throw new RangeError(`data.js ends before byte ${this.at + n}`);
        this.at += n;
        return this.bytes.subarray(this.at - n, this.at);
    }

    list() {
        const text = new TextDecoder().decode(this.raw(this.u()));
        const lines = text.split('\n');
        lines.pop();
        return lines;
    }
}
