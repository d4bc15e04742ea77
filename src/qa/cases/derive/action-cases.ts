import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';

const MOST_CONTROLS = 4;

/** Cases without a form: open the page, and use each control. */
export function actionCases(facts: UseCaseInput, base: CasePlan): DerivedCase[] {
  const { evidence, title, promised } = facts;
  const isDestructive = evidence.class === 'delete';
  const common = {
    precondition: preconditionText(base),
    oracle: promised.length > 0 ? ('specified' as const) : ('observed' as const),
    category: 'Functional' as const,
    tags: [evidence.class],
  };
  const looked: DerivedCase = {
    ...common,
    key: 'action:open',
    title: `${title}: the page opens`,
    goal: `${title}: the page shows what it should`,
    expectedResult: 'The page is shown as observed when the test was written',
    priority: 'MEDIUM',
    plan: {
      ...base,
      kind: 'action',
      send: 'none',
      goesOn: false,
      expected: { outcome: 'observed', says: [...promised] },
    },
  };
  if (isDestructive) return [looked];
  const used = usableControls(facts, base)
    .slice(0, MOST_CONTROLS)
    .map(
      ({ control, i }): DerivedCase => ({
        ...common,
        key: `action:${control.name}`,
        title: `${title}: ${control.name}`,
        goal: `“${control.name}” does what it says`,
        expectedResult: 'The site shows what was observed when the test was written',
        priority: 'MEDIUM',
        plan: {
          ...base,
          kind: 'action',
          send: 'none',
          control: i,
          goesOn: false,
          expected: { outcome: 'observed', says: [...promised] },
        },
      }),
    );
  return [looked, ...used];
}

/** Controls of a use case without links to its own page, which have no visible effect. */
export function usableControls({ evidence }: Pick<UseCaseInput, 'evidence'>, { entry }: Pick<CasePlan, 'entry'>) {
  return evidence.controls
    .map((control, i) => ({ control, i }))
    .filter(({ control }) => control.href === null || URL.parse(control.href, entry)?.href !== URL.parse(entry)?.href);
}
