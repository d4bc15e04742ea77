import { mapStrings } from '../secrets/secret-placeholders.ts';
import type { QaRepositories } from '../store/qa-store.ts';

/** Replaces the origin of a site in candidates, use cases, test cases and scripts. */
export async function moveSiteUrls(tables: QaRepositories, projectId: string, from: string, to: string): Promise<void> {
  const [old, now] = [new URL(from).origin, new URL(to).origin];
  if (old === now) return;
  const isOld = (text: string) => text === old || /^[/?#]/.test(text.slice(old.length));
  const moved = <Value>(value: Value): Value =>
    mapStrings(value, (text) => (text.startsWith(old) && isOld(text) ? `${now}${text.slice(old.length)}` : text));
  const { candidates, useCases, testCases, testScripts } = tables;
  for (const repository of [candidates, useCases])
    for (const { id, url, details } of await repository.list({ projectId }))
      await repository.update(id, moved({ url, details }));
  for (const { id, url, details } of await testCases.list({ projectId }))
    await testCases.update(id, moved({ url, details }));
  for (const { id, url, details, spec } of await testScripts.list({ projectId }))
    await testScripts.update(id, { ...moved({ url, details }), spec: spec.replaceAll(`'${old}'`, `'${now}'`) });
}
