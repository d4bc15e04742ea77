import type { ToolContext } from '../../mcp/tool.ts';
import { createSlots } from '../execution/slots.ts';
import type { ExecutionRoom } from '../execution/start-run.ts';
import { wizardFolder } from '../files/folder.ts';

const makeSlots = () => createSlots();

/** What an execution works with, on behalf of this caller. */
export function executionRoom(context: ToolContext): ExecutionRoom {
  const { browsers, shared, insideAddresses, addresses, home, signal, progress, attach } = context;
  return {
    browsers,
    slots: shared(makeSlots),
    inside: insideAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    runs: wizardFolder(home).runs,
    signal,
    progress,
    showPicture: (data) => attach({ type: 'image', data, mimeType: 'image/jpeg' }),
  };
}
