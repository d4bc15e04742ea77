import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findMarked } from '../../test/support/server/hostile-text.ts';
import { MARKER } from '../../test/support/server/marker.ts';
import { cleanValue, presentResult, unwrapSchema } from '../platform/text/untrusted-result.ts';
import { untrusted, untrustedName } from '../platform/text/untrusted-schema.ts';
import { loadToolset, toolsetNames } from './toolsets.ts';

/** Made by Assay: ids, hashes, dates. The id of a form's field comes from its label. */
const made =
  /^(id|(?!field_id)\w+_id|\w+Ids?|sha256|contentChecksum|fingerprint|commit|timestamp|modified|\w+At|\w+_at|\w+DateKey)$/;

/**
 * Strings of results that are not marked as untrusted, by the name of their field, or of `tool prefix/field`: Assay or the
 * caller wrote them. A field with text of a page, a repository or a document is wrapped in `untrusted` or `untrustedName`
 * instead of being listed here.
 */
const own: Record<string, readonly string[]> = {
  coverage: ['lines'],
  standards: [
    ...['action', 'check', 'code', 'hook', 'kind', 'overall_status', 'rule', 'state', 'status', 'subcommand', 'unit'],
    ...['all_steps', 'next_step_description', 'step_description'],
    ...['caws_init/message', 'caws_init/projectName', 'caws_scaffold/message', 'caws_waiver_create/gates'],
    ...['caws_waiver_create/takes_effect', 'caws_run_tests/tree', 'caws_run_tests/declared_in'],
  ],
  accessibility: [
    ...['audit_type', 'impact', 'viewport', 'elapsed_time', 'scan_duration', 'audit_name'],
    ...['base_urls_dir', 'config_path', 'report_files', 'results_dir', 'results_directory', 'compared_with'],
    ...['cwac_list_scans/note', 'issues_by_audit_type.<key>', 'issues_by_impact.<key>', 'pages.<key>', 'details.<key>'],
  ],
  wizards: [
    ...['screenshot', 'image', 'partial_file', 'previous_version', 'saved_to', 'schema_saved_to'],
    ...['edits/path', 'edit/path', 'federalrunner_get_wizard_info/type'],
  ],
  qa: [
    ...['action', 'category', 'channel', 'contentType', 'currency', 'defaultExportFormat', 'failureClass', 'format'],
    ...[
      'kind',
      'latestFailureClass',
      'notConfigured',
      'oracle',
      'priority',
      'source',
      'status',
      'timezone',
      'useCaseClass',
    ],
    ...['at', 'key', 'verdict', 'uri', 'screenshotFile', 'screenshotUrl', 'formula', 'why', 'failed/error'],
    ...['byFailureClass.<key>', 'counts.<key>', 'failuresByKind.<key>'],
    ...['projectName', 'testRequirements', 'secretName', 'secrets', 'environment'],
    ...['emails', 'phones', 'target', 'webhookUrl', 'webhookSecret'],
    ...['qa_project_/name', 'qa_project_/description', 'qa_project_/url', 'qa_secret_/name', 'qa_secret_/description'],
    ...['qa_workflow_/name', 'qa_recommend_/*', 'qa_prd_file_upload/message', 'qa_test_script_export/path'],
    ...['files/name', 'files/path'],
  ],
};

/** The paths of all strings below a schema that carry no mark. */
function unmarked(schema: z.core.$ZodType, path: readonly string[]): string[][] {
  const { inner, mark } = unwrapSchema(schema);
  if (mark || !inner) return [];
  const { def } = (inner as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
    case 'unknown':
    case 'any':
    case 'template_literal':
      return [[...path]];
    case 'array':
      return unmarked(def.element, path);
    case 'tuple':
      return def.items.flatMap((item) => unmarked(item, path));
    case 'union':
      return def.options.flatMap((option) => unmarked(option, path));
    case 'record':
      return [...unmarked(def.keyType, [...path, '<key>']), ...unmarked(def.valueType, path)];
    case 'object':
      return [
        ...Object.entries(def.shape).flatMap(([key, value]) => unmarked(value, [...path, key])),
        ...(def.catchall ? unmarked(def.catchall, [...path, '*']) : []),
      ];
    default:
      return [];
  }
}

function isOwn(toolset: string, tool: string, path: readonly string[]): boolean {
  const field = path.at(-1) ?? '';
  const parent = path.at(-2) ?? '';
  const name = field === '<key>' ? `${parent}.<key>` : field;
  // Paths of output schemas, and arguments.
  if (made.test(name) || path[0] === 'shortened') return true;
  return (own[toolset] ?? []).some((entry) => {
    const [where = '', which] = entry.split('/');
    if (which === undefined) return entry === name;
    return (tool.startsWith(where) || parent === where) && (which === '*' || which === name);
  });
}

test.each(toolsetNames)('every string in results of %s is marked as untrusted or known to be ours', async (name) => {
  const { tools } = await loadToolset(name);
  const forgotten = tools.flatMap((tool) =>
    unmarked(tool.output, [])
      .filter((path) => !isOwn(name, tool.name, path))
      .map((path) => `${tool.name}: ${path.join('.')}`),
  );
  expect(forgotten).toEqual([]);
});

test('every entry of the list is needed', async () => {
  for (const name of toolsetNames) {
    const { tools } = await loadToolset(name);
    const paths = tools.flatMap((tool) => unmarked(tool.output, []).map((path) => ({ tool: tool.name, path })));
    const needless = (own[name] ?? []).filter((entry) => {
      const rest = (own[name] ?? []).filter((other) => other !== entry);
      const before = own[name] ?? [];
      own[name] = rest;
      const isNeeded = paths.some(({ tool, path }) => !isOwn(name, tool, path));
      own[name] = before;
      return !isNeeded;
    });
    expect(needless, name).toEqual([]);
  }
});

describe('a result on its way out', () => {
  const schema = z.object({
    pages: z.array(z.object({ title: untrusted(z.string(), { max: 5 }), id: z.string() })).optional(),
    files: z.record(untrustedName(z.string()), z.number()).default({}),
    raw: untrusted(z.looseObject({})).nullable(),
    message: z.string().nullable(),
  });

  test('names the positions of untrusted text, cuts it, and cleans everything', () => {
    const { data, untrusted: positions } = presentResult(
      {
        pages: [{ title: 'T\u001b[1mitle of a page', id: 'a\u202eb' }],
        files: { 'a\u001b': 1, ab: 2 },
        raw: { deep: [{ er: 'x\u0007y' }] },
        message: null,
      },
      schema,
    );
    expect(data).toEqual({
      pages: [{ title: 'Title… (19 characters)', id: 'ab' }],
      files: { 'a\\u001b': 1, ab: 2 },
      raw: { deep: [{ er: 'xy' }] },
      message: null,
    });
    expect(positions).toEqual(['pages[].title', 'files.*', 'raw']);
  });

  test('is found to lack a declaration by the tests that mark texts of others', () => {
    const data = {
      pages: [{ title: MARKER, id: MARKER }],
      files: { [MARKER]: 1 },
      raw: { er: [MARKER] },
      message: MARKER,
    };
    const { data: structuredContent, untrusted: declared } = presentResult(data, z.looseObject(schema.shape));
    const found = findMarked(structuredContent, declared);
    expect(found.all).toHaveLength(5);
    expect(found.undeclared).toEqual(['pages.[].id', 'message']);
  });

  test('does not copy what is clean, and keeps keys that are data', () => {
    const clean = { files: JSON.parse('{"__proto__": 1}'), raw: null, message: 'fine' };
    expect(presentResult(clean, schema).data).toBe(clean);
    const hostile = { files: JSON.parse('{"__proto__": 1, "a\\u001b": 2, "a\\\\u001b": 3}'), raw: null, message: null };
    const { files } = presentResult(hostile, schema).data;
    expect(JSON.stringify(files)).toBe('{"__proto__":1,"a\\\\u001b":2,"a\\\\u001b (2)":3}');
  });

  test('cuts long keys and names, and keeps those apart that become alike', () => {
    const long = (end: string) => `${'\u202e'.repeat(5_000)}${end}`;
    const cut = `${'\\u202e'.repeat(683).slice(0, 4_096)}… (5001 characters)`;
    const { data } = presentResult({ files: { [long('a')]: 1, [long('b')]: 2, [long('c')]: 3 } }, schema);
    expect(Object.entries(data.files)).toEqual([
      [cut, 1],
      [`${cut} (2)`, 2],
      [`${cut} (3)`, 3],
    ]);
    const list = z.object({ names: untrustedName(z.array(z.string())) });
    expect(presentResult({ names: [long('a')] }, list).data.names).toEqual([cut]);
    expect(Object.keys(cleanValue({ [long('a')]: 1 }))).toEqual([cut]);
  });

  test('gives 20,000 keys that look alike a name each', () => {
    const keys = Array.from({ length: 20_000 }, (_, number) => `${'a'.repeat(4_096)}${number + 10_000}`);
    const { data } = presentResult({ files: Object.fromEntries(keys.map((key) => [key, 1])) }, schema);
    expect(Object.keys(data.files)).toHaveLength(20_000);
    expect(Object.keys(data.files).at(-1)).toMatch(/^a{4096}… \(4101 characters\) \(20000\)$/);
  });
});
