import * as z from 'zod';
import { createProblem } from './spec-problems.ts';
import type { SpecProblem, YamlSource } from './yaml-source.ts';

/** Each part is parsed by itself, so that an invalid part, which the schema reports, does not hide problems of the others. */
const partSchemas = {
  tier: z.coerce.number().int(),
  mode: z.string(),
  paths: z.array(z.string()),
  list: z.array(z.unknown()),
  criteria: z.array(z.looseObject({ id: z.string() })),
  experiment: z.looseObject({ enabled: z.literal(true) }),
};

/** Checks what a schema cannot express: contradictions within the spec, and the requirements of its risk tier. */
export function checkSpecRules(raw: unknown, source: YamlSource): SpecProblem[] {
  const spec = z.looseObject({}).safeParse(raw).data ?? {};
  return [
    ...checkScope(spec, source),
    ...checkRepeatedCriteria(spec, source),
    ...checkEmptyLists(spec, source),
    ...checkTierRequirements(spec, source),
    ...checkHumanOverride(spec, source),
  ];
}

type LooseSpec = Record<string, unknown>;

/** `scope.out` must not contain a path of `scope.in`, because nothing there could ever change. */
function checkScope(spec: LooseSpec, source: YamlSource): SpecProblem[] {
  const scope = z.looseObject({}).safeParse(spec['scope']).data ?? {};
  const inside = partSchemas.paths.safeParse(scope['in']).data ?? [];
  const outside = partSchemas.paths.safeParse(scope['out']).data ?? [];
  const clash = outside.flatMap((out, index) => {
    const contained = inside.find(
      (path) => folderOf(path) === folderOf(out) || folderOf(path).startsWith(`${folderOf(out)}/`),
    );
    if (contained === undefined) return [];
    const message = `scope.out ${JSON.stringify(out)} excludes all of scope.in ${JSON.stringify(contained)}`;
    return [
      createProblem(source, 'error', 'scope.contradiction', ['scope', 'out', index], message, 'Narrow one of the two'),
    ];
  });
  const escaping = [
    ...inside.map((path, at) => ({ path, at: ['scope', 'in', at] })),
    ...outside.map((path, at) => ({ path, at: ['scope', 'out', at] })),
  ]
    .filter(({ path }) => /^\/|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(path))
    .map(({ path, at }) =>
      createProblem(
        source,
        'error',
        'scope.outside',
        at,
        `${JSON.stringify(path)} leads out of the project`,
        'Write paths relative to the project',
      ),
    );
  return [...clash, ...escaping];
}

const folderOf = (path: string) => path.replace(/^\.\//, '').replace(/(?:\/\*\*?|\/)+$/, '');

function checkRepeatedCriteria(spec: LooseSpec, source: YamlSource): SpecProblem[] {
  const criteria = partSchemas.criteria.safeParse(spec['acceptance']).data ?? [];
  const ids = criteria.map(({ id }) => id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [
          createProblem(
            source,
            'error',
            'acceptance.repeated',
            ['acceptance', index, 'id'],
            `Acceptance criterion ${id} appears twice`,
            'Give each criterion its own number',
          ),
        ],
  );
}

function checkEmptyLists(spec: LooseSpec, source: YamlSource): SpecProblem[] {
  const isEmpty = (name: string) => partSchemas.list.safeParse(spec[name]).data?.length === 0;
  return [
    ...(isEmpty('invariants')
      ? [
          createProblem(
            source,
            'warning',
            'invariants.empty',
            ['invariants'],
            'No system invariants defined',
            'List what must stay true after any change',
          ),
        ]
      : []),
    ...(isEmpty('acceptance')
      ? [
          createProblem(
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

/** Modes doc and chore change no behaviour, so they need no contract. */
function checkTierRequirements(spec: LooseSpec, source: YamlSource): SpecProblem[] {
  const tier = partSchemas.tier.safeParse(String(spec['risk_tier'] ?? '').replace(/^T/i, '')).data ?? 3;
  const mode = partSchemas.mode.safeParse(spec['mode']).data ?? '';
  const found: SpecProblem[] = [];
  const needsNoContract = mode === 'doc' || mode === 'chore';
  if (tier <= 2 && tier >= 1 && !needsNoContract && partSchemas.list.safeParse(spec['contracts']).data?.length === 0) {
    found.push(
      createProblem(
        source,
        'error',
        'contracts.required',
        ['contracts'],
        'Contracts required for Tier 1 and 2 changes',
        'Name the OpenAPI, GraphQL, proto, Pact or JSON Schema file that others rely on, or make it tier 3',
      ),
    );
  }
  if (tier === 1 && !needsNoContract) {
    const nonFunctional = z.looseObject({}).safeParse(spec['non_functional']).data ?? {};
    for (const [path, value] of [
      [['rollback'], spec['rollback']],
      [['observability'], spec['observability']],
      [['non_functional', 'security'], nonFunctional['security']],
    ] as const) {
      const filled = Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null;
      if (!filled)
        found.push(
          createProblem(
            source,
            'error',
            'tier1.incomplete',
            path,
            `Tier 1 work needs ${path.join('.')}`,
            'Write how the change is monitored, secured and rolled back',
          ),
        );
    }
  }
  if (partSchemas.experiment.safeParse(spec['experimental_mode']).success && tier < 3) {
    found.push(
      createProblem(
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

/** A spec cannot override gates itself. */
function checkHumanOverride(spec: LooseSpec, source: YamlSource): SpecProblem[] {
  if (spec['human_override'] === undefined) return [];
  return [
    createProblem(
      source,
      'warning',
      'override.ignored',
      ['human_override'],
      'human_override changes no gate',
      'Create a waiver with caws_waiver_create: it expires and is recorded in the audit file',
    ),
  ];
}
