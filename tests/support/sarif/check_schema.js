// node check_schema.js FILE...: prints what is wrong with SARIF files by the JSON schema of SARIF 2.1.0.
"use strict";
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv");

const folder = path.join(path.dirname(require.resolve("@microsoft/jest-sarif")), "schemas");
const schema = JSON.parse(fs.readFileSync(path.join(folder, "sarif-2.1.0-rtm.5.json"), "utf8"));
const ajv = new Ajv({ schemaId: "auto", allErrors: true, meta: false });
ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
const check = ajv.compile(schema);
let wrong = 0;
for (const file of process.argv.slice(2)) {
    if (check(JSON.parse(fs.readFileSync(file, "utf8")))) continue;
    wrong = 1;
    for (const error of check.errors) console.log(`${path.basename(file)}: ${error.dataPath} ${error.message}`);
}
process.exit(wrong);
