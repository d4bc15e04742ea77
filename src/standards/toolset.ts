import { defineToolset } from '../mcp/tool.ts';

export const standards = defineToolset({
  name: 'standards',
  title: 'Standards',
  summary:
    'Is the change inside its spec, budget and scope, with evidence? Working specs, quality gates, waivers, hooks and provenance, measured from git and from test reports.',
  tools: [],
  presentError: ({ message }) => ({ text: message }),
});
