/** What other rooms may use: forms that were discovered, and running them. */
export { type ExecutionOptions, type ExecutionRoom, executeWizard } from './execution/execute.ts';
export { createSlots } from './execution/slots.ts';
export { type WizardFolder, wizardFolder } from './files/folder.ts';
