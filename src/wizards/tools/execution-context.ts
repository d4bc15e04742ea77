import type { ToolContext } from '../../tool/tool.ts';
import { createExecutionSlots } from '../execution/run/execution-slots.ts';
import type { ExecutionContext } from '../execution/run/start-run.ts';
import { ownerWizards, schemaCompilerOf } from './owner-wizards.ts';

/** What an execution needs from the server, on behalf of this caller. */
export function executionContext(context: ToolContext): ExecutionContext {
  const { browsers, shared, allowedPrivateAddresses, addresses, signal, progress, attachPicture } = context;
  return {
    browsers,
    slots: shared('wizards.slots', createExecutionSlots),
    allowedAddresses: allowedPrivateAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    schemas: schemaCompilerOf(context),
    runs: ownerWizards(context).runs,
    signal,
    progress,
    attachScreenshot: attachPicture,
  };
}
