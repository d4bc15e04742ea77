import { defineToolset } from '../mcp/tool.ts';

export const wizards = defineToolset({
  name: 'wizards',
  title: 'Wizards',
  summary: "Discover a web form once, then run it for ever with a person's data, and never report a false success.",
  tools: [],
  presentError: ({ message }) => ({ text: message }),
});
