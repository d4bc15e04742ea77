import type { ToolContext } from '../../mcp/tool.ts';
import { createSlots } from '../execution/slots.ts';
import type { ExecutionRoom } from '../execution/start-run.ts';
import { type WizardFolder, wizardFolder } from '../files/folder.ts';
import { createSchemas } from '../validation/schemas.ts';

const makeSlots = () => createSlots();
const makeSchemas = () => createSchemas();

/** The wizards of this server; their schemas are compiled once. */
export function wizardsOf({ home, shared }: Pick<ToolContext, 'home' | 'shared'>): WizardFolder {
  return wizardFolder(home, process.env, shared(makeSchemas));
}

export const schemasOf = ({ shared }: Pick<ToolContext, 'shared'>) => shared(makeSchemas);

/** What an execution works with, on behalf of this caller. */
export function executionRoom(context: ToolContext): ExecutionRoom {
  const { browsers, shared, insideAddresses, addresses, home, signal, progress, attach } = context;
  return {
    browsers,
    slots: shared(makeSlots),
    inside: insideAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    schemas: schemasOf(context),
    runs: wizardFolder(home).runs,
    signal,
    progress,
    showPicture: (data) => attach({ type: 'image', data, mimeType: 'image/jpeg' }),
  };
}
