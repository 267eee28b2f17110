// SPDX-License-Identifier: MIT
// node ajv.mjs SCHEMA FILE... prints a line for each file that is not as the JSON Schema says, with the reasons.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.NYTPROF_PACKAGES, 'package.json'));
const Ajv = require('ajv');

const [, , schema, ...files] = process.argv;
const read = name => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(name)));
const ajv = new Ajv({ allErrors: false, strict: false });
const validate = ajv.compile(read(schema));
for (const file of files)
    if (!validate(read(file))) console.log(`${file}: ${ajv.errorsText(validate.errors)}`);
