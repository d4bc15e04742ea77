/**
 * Replaces the SDK's module for Node in the bundle. That module brings Ajv, a third of all code that is loaded at start; the
 * SDK needs a validator only for elicitation, which Assay does not use. This one takes the SDK's small validator.
 */
export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
