/** What other domains may use: stored wizards and their execution. */
export { type ExecutionOptions, type ExecutionRoom, executeWizard } from './execution/run/execute-wizard.ts';
export { createExecutionSlots as createSlots } from './execution/run/execution-slots.ts';
export { openWizardFolder as wizardFolder, type WizardFolder } from './files/wizard-folder.ts';
