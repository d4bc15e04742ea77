import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeToolset } from '../../tool/catalog.ts';
import { defineTool, defineTools } from '../../tool/tool.ts';
import { formatToolHelp, parseToolFlags } from './tool-flags.ts';

const { tools } = await describeToolset(
  defineTools({
    name: 'test',
    title: 'Test',
    summary: 'Test',
    presentError: ({ message }) => ({ text: message }),
    tools: [
      defineTool({
        name: 'paint',
        title: 'Paint',
        description: 'Paints.',
        effect: 'write',
        scope: 'test:write',
        input: z.object({
          wallName: z.string().describe('Which wall'),
          coats: z.number().int().default(2).describe('How many coats'),
          colours: z.array(z.string()).optional().describe('Which colours'),
          sizes: z.array(z.number()).optional().describe('Which sizes'),
          dryRun: z.boolean().optional().describe('Only pretend'),
          withUVFilter: z.boolean().optional().describe('Against the sun'),
          window: z
            .object({ width: z.number(), sill: z.boolean().default(true).describe('With what is below it') })
            .optional()
            .describe('What to leave out'),
          stripes: z
            .array(z.object({ colour: z.enum(['red', 'blue']), wide: z.int().min(1).max(9).optional() }))
            .optional()
            .describe('One after the other'),
        }),
        output: z.object({}),
        run: async () => ({}),
      }),
    ],
  }),
);
const paint = tools[0];
if (!paint) throw new Error('no tool');

test.each<[string[], unknown]>([
  [['--wall-name', 'north'], { wallName: 'north' }],
  [['--wallName=north', '--coats', '3'], { wallName: 'north', coats: 3 }],
  [['--colours', 'red', '--colours', 'a,b', '--sizes', '1.5'], { colours: ['red', 'a,b'], sizes: [1.5] }],
  [['--colours', '["red","blue"]'], { colours: ['red', 'blue'] }],
  [['--dry-run'], { dryRun: true }],
  [['--no-dry-run'], { dryRun: false }],
  [['--with-uv-filter'], { withUVFilter: true }],
  [['--withUVFilter'], { withUVFilter: true }],
  [['--window', '{"width": 3}'], { window: { width: 3 } }],
  [['--json', '{"wallName": "south", "coats": 1}', '--coats', '4'], { wallName: 'south', coats: 4 }],
  [['--coats', 'many'], { coats: 'many' }],
  [[], {}],
])('%j', (argv, args) => {
  expect(parseToolFlags(paint, argv)).toEqual(args);
});

test.each<[string[], RegExp]>([
  [['--wall-nam', 'x'], /Unknown flag "--wall-nam"\. Did you mean --wall-name\?/],
  [['north'], /call paint --help/],
  [['--json', '{oops'], /--json must be JSON/],
  [['--json', '[1]'], /--json must be a JSON object, got \[1\]/],
  [['--window', 'wide'], /--window must be JSON/],
  [['--wall-name'], /argument missing|call paint --help/],
])('%j is refused with the way out', (argv, message) => {
  expect(() => parseToolFlags(paint, argv)).toThrow(message);
});

test('names --wait in the help of tools that start long work', () => {
  expect(formatToolHelp(paint)).not.toContain('--wait');
  expect(formatToolHelp(paint, true)).toContain('--wait');
});

test('shows every argument with its type, default and whether it is required', () => {
  expect(formatToolHelp(paint)).toMatchInlineSnapshot(`
    "paint: Paint
    Paints.

      --json '{…}'  (all arguments at once)
      --wall-name  (string; required)
          Which wall
      --coats  (integer; default 2)
          How many coats
      --colours  (string, repeatable)
          Which colours
      --sizes  (number, repeatable)
          Which sizes
      --dry-run  (boolean)
          Only pretend
      --with-uv-filter  (boolean)
          Against the sun
      --window  (object)
          What to leave out
          "width" (number; required)
          "sill" (boolean; default true): With what is below it
      --stripes  (object, repeatable)
          One after the other
          "colour" (red | blue; required)
          "wide" (integer; at most 9)"
  `);
});
