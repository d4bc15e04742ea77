import { defineToolset } from '../mcp/tool.ts';

export const qa = defineToolset({
  name: 'qa',
  title: 'QA',
  summary:
    'From a URL to use cases, test cases, scripts, replays and reports: end-to-end tests of a web site, found, written and run in a real browser.',
  tools: [],
  presentError: ({ message }) => ({ text: message }),
});
