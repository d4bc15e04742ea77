import { peerProgram } from '../peers.ts';

/** The servers that Assay is compared with, with their arguments for Node. */
export function peerServers(): [name: string, args: string[]][] {
  return [
    ['@playwright/mcp', [peerProgram('playwright-mcp'), '--headless']],
    ['chrome-devtools-mcp', [peerProgram('chrome-devtools-mcp'), '--headless', '--no-usage-statistics']],
  ];
}
