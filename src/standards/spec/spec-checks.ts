import * as z from 'zod';
import { problem } from './spec-problems.ts';
import type { Problem, YamlSource } from './yaml-source.ts';

/** What is looked at here, each part by itself: one that is wrong in kind has been named already and hides no other. */
const parts = {
  tier: z.coerce.number().int(),
  mode: z.string(),
  paths: z.array(z.string()),
  list: z.array(z.unknown()),
  criteria: z.array(z.looseObject({ id: z.string() })),
  experiment: z.looseObject({ enabled: z.literal(true) }),
};

/** What a schema cannot say about a spec: what contradicts itself, and what its risk tier asks for. */
export function checkSpec(raw: unknown, source: YamlSource): Problem[] {
  const spec = z.looseObject({}).safeParse(raw).data ?? {};
  return [
    ...scopeAgainstItself(spec, source),
    ...repeatedCriteria(spec, source),
    ...emptyLists(spec, source),
    ...whatTheTierAsks(spec, source),
    ...selfGiven(spec, source),
  ];
}

type Loose = Record<string, unknown>;

/** A path that is taken out of scope must not hold one that is in it: nothing could ever be changed there. */
function scopeAgainstItself(spec: Loose, source: YamlSource): Problem[] {
  const scope = z.looseObject({}).safeParse(spec['scope']).data ?? {};
  const inside = parts.paths.safeParse(scope['in']).data ?? [];
  const outside = parts.paths.safeParse(scope['out']).data ?? [];
  const clash = outside.flatMap((out, index) => {
    const held = inside.find(
      (path) => folderOf(path) === folderOf(out) || folderOf(path).startsWith(`${folderOf(out)}/`),
    );
    if (held === undefined) return [];
    const message = `scope.out ${JSON.stringify(out)} takes out all of scope.in ${JSON.stringify(held)}`;
    return [
      problem(source, 'error', 'scope.contradiction', ['scope', 'out', index], message, 'Narrow the one or the other'),
    ];
  });
  const escaping = [
    ...inside.map((path, at) => ({ path, at: ['scope', 'in', at] })),
    ...outside.map((path, at) => ({ path, at: ['scope', 'out', at] })),
  ]
    .filter(({ path }) => /^\/|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(path))
    .map(({ path, at }) =>
      problem(
        source,
        'error',
        'scope.outside',
        at,
        `${JSON.stringify(path)} leads out of the project`,
        'Write paths as seen from the project',
      ),
    );
  return [...clash, ...escaping];
}

const folderOf = (path: string) => path.replace(/^\.\//, '').replace(/(?:\/\*\*?|\/)+$/, '');

function repeatedCriteria(spec: Loose, source: YamlSource): Problem[] {
  const criteria = parts.criteria.safeParse(spec['acceptance']).data ?? [];
  const ids = criteria.map(({ id }) => id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [
          problem(
            source,
            'error',
            'acceptance.repeated',
            ['acceptance', index, 'id'],
            `Acceptance criterion ${id} stands twice`,
            'Give each its own number',
          ),
        ],
  );
}

function emptyLists(spec: Loose, source: YamlSource): Problem[] {
  const isEmpty = (name: string) => parts.list.safeParse(spec[name]).data?.length === 0;
  return [
    ...(isEmpty('invariants')
      ? [
          problem(
            source,
            'warning',
            'invariants.empty',
            ['invariants'],
            'No system invariants defined',
            'List what must stay true whatever changes',
          ),
        ]
      : []),
    ...(isEmpty('acceptance')
      ? [
          problem(
            source,
            'warning',
            'acceptance.empty',
            ['acceptance'],
            'No acceptance criteria defined',
            'Add criteria with id, given, when and then',
          ),
        ]
      : []),
  ];
}

/** Documents and chores change no behaviour, so they need no contract. */
function whatTheTierAsks(spec: Loose, source: YamlSource): Problem[] {
  const tier = parts.tier.safeParse(String(spec['risk_tier'] ?? '').replace(/^T/i, '')).data ?? 3;
  const mode = parts.mode.safeParse(spec['mode']).data ?? '';
  const found: Problem[] = [];
  const quiet = mode === 'doc' || mode === 'chore';
  if (tier <= 2 && tier >= 1 && !quiet && parts.list.safeParse(spec['contracts']).data?.length === 0) {
    found.push(
      problem(
        source,
        'error',
        'contracts.required',
        ['contracts'],
        'Contracts required for Tier 1 and 2 changes',
        'Name the OpenAPI, GraphQL, proto, Pact or JSON Schema file that others rely on, or make it tier 3',
      ),
    );
  }
  if (tier === 1 && !quiet) {
    const nonFunctional = z.looseObject({}).safeParse(spec['non_functional']).data ?? {};
    for (const [path, value] of [
      [['rollback'], spec['rollback']],
      [['observability'], spec['observability']],
      [['non_functional', 'security'], nonFunctional['security']],
    ] as const) {
      const filled = Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null;
      if (!filled)
        found.push(
          problem(
            source,
            'warning',
            'tier1.incomplete',
            path,
            `Tier 1 work should have ${path.join('.')}`,
            'Say how it is watched, secured and taken back',
          ),
        );
    }
  }
  if (parts.experiment.safeParse(spec['experimental_mode']).success && tier < 3) {
    found.push(
      problem(
        source,
        'warning',
        'experiment.tier',
        ['experimental_mode'],
        'Experimental mode is for tier 3 only',
        'Leave it out, or make it tier 3',
      ),
    );
  }
  return found;
}

/** A spec cannot excuse itself. */
function selfGiven(spec: Loose, source: YamlSource): Problem[] {
  if (spec['human_override'] === undefined) return [];
  return [
    problem(
      source,
      'warning',
      'override.ignored',
      ['human_override'],
      'human_override changes no gate',
      'Create a waiver with caws_waiver_create: it expires, and is kept in the audit file',
    ),
  ];
}
