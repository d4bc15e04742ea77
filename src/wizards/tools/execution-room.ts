import type { ToolContext } from '../../tool/tool.ts';
import { createSlots } from '../execution/slots.ts';
import type { ExecutionRoom } from '../execution/start-run.ts';
import { schemasOf, wizardsOf } from './wizards-of.ts';

const makeSlots = () => createSlots();

/** What an execution works with, on behalf of this caller. */
export function executionRoom(context: ToolContext): ExecutionRoom {
  const { browsers, shared, insideAddresses, addresses, signal, progress, attach } = context;
  return {
    browsers,
    slots: shared(makeSlots),
    inside: insideAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    schemas: schemasOf(context),
    runs: wizardsOf(context).runs,
    signal,
    progress,
    showPicture: (data) => attach({ type: 'image', data, mimeType: 'image/jpeg' }),
  };
}
