import { acceptanceCriterion, formatJson, type ProjectTemplate, testScripts } from './template.ts';

export const extension: ProjectTemplate = {
  spec: {
    risk_tier: 2,
    blast_radius: { modules: ['activation', 'commands', 'webview'], data_migration: false },
    operational_rollback_slo: '1h',
    change_budget: { max_files: 25, max_loc: 1000 },
    scope: {
      in: [
        'src/',
        'test/',
        'docs/messages.schema.json',
        'package.json',
        '.gitignore',
        'codemods/',
        '.github/',
        'tsconfig.json',
      ],
      out: ['node_modules/', 'out/', '*.vsix'],
    },
    invariants: [
      'Files are read and written through the workspace of the editor only',
      'Activation waits for no network and no scan of the workspace',
      'Every command can be reached by the keyboard',
    ],
    acceptance: [
      acceptanceCriterion(
        'A1',
        'an editor with a workspace open',
        'the extension is activated',
        'its commands are registered, and are taken back when it is deactivated',
      ),
      acceptanceCriterion(
        'A2',
        'a webview of the extension',
        'it sends a message that the schema does not allow',
        'nothing happens, and the message is logged',
      ),
    ],
    non_functional: {
      a11y: ['All of it works by keyboard', 'Screen readers get names and roles', 'High contrast themes are respected'],
      perf: { activation_ms: 200 },
      security: [
        'Webviews have a content security policy without inline scripts',
        'Messages are checked before they are used',
      ],
    },
    contracts: [
      {
        type: 'json-schema',
        path: 'docs/messages.schema.json',
        description: 'What a webview may send to the extension',
      },
    ],
    rollback: ['Publish the last good version under a new number'],
  },
  contracts: {
    'docs/messages.schema.json': formatJson({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Message from the webview',
      type: 'object',
      required: ['command'],
      properties: { command: { type: 'string', enum: ['greet'] }, name: { type: 'string', maxLength: 100 } },
      additionalProperties: false,
    }),
  },
  starter: (name) => ({
    'package.json': formatJson({
      name,
      version: '0.1.0',
      publisher: 'unnamed',
      engines: { vscode: '^1.90.0' },
      main: './src/extension.js',
      activationEvents: [],
      contributes: {
        commands: [{ command: `${name}.greet`, title: 'Greet' }],
        keybindings: [{ command: `${name}.greet`, key: 'ctrl+alt+g', mac: 'cmd+alt+g' }],
      },
      scripts: testScripts,
    }),
    'src/extension.js': `const { register } = require('./commands.js');

/** The editor gives the context alone; a test gives an editor of its own with it. */
exports.activate = (context, editor = require('vscode')) => register(editor, context.subscriptions);
`,
    'src/commands.js': `/** Registers the commands; what takes them back goes to the editor's list of subscriptions. */
exports.register = ({ commands, window }, subscriptions) => {
  const greet = (name = 'world') => window.showInformationMessage(\`Hello, \${name}\`);
  subscriptions.push(commands.registerCommand('${name}.greet', greet));
};

/** A message of the webview as docs/messages.schema.json allows it; anything else is logged and dropped. */
exports.readMessage = (message, log) => {
  const { command, name, ...more } = Object(message);
  const known = command === 'greet' && Object.keys(more).length === 0;
  if (known && (name === undefined || (typeof name === 'string' && name.length <= 100))) return { command, name };
  log('A message of the webview was dropped.');
  return undefined;
};
`,
    'test/commands.test.js': `const assert = require('node:assert/strict');
const test = require('node:test');
const { readMessage } = require('../src/commands.js');
const { activate } = require('../src/extension.js');

test('A1: registers its commands, and can take them back', () => {
  const registered = [];
  const said = [];
  const subscriptions = [];
  activate(
    { subscriptions },
    {
      commands: { registerCommand: (name, run) => (registered.push(name), run(), { dispose() {} }) },
      window: { showInformationMessage: (text) => said.push(text) },
    },
  );
  assert.deepEqual(registered, ['${name}.greet']);
  assert.deepEqual(said, ['Hello, world']);
  assert.equal(subscriptions.length, 1);
});

test('A2: drops and logs what the schema does not allow', () => {
  const logged = [];
  const read = (message) => readMessage(message, (text) => logged.push(text));
  assert.deepEqual(read({ command: 'greet', name: 'Ada' }), { command: 'greet', name: 'Ada' });
  for (const message of [null, 'greet', { command: 'eval' }, { command: 'greet', more: 1 }, { command: 'greet', name: 1 }])
    assert.equal(read(message), undefined);
  assert.equal(logged.length, 5);
});
`,
  }),
};
