import { version } from '../../platform/version.ts';

export const ciCadences = ['onPullRequest', 'nightly', 'onDemand'] as const;
export type CiCadence = (typeof ciCadences)[number];

/** Folder of the results in every pipeline. */
export const CI_RESULTS_FOLDER = 'assay-results';
export const CI_JUNIT_FILE = `${CI_RESULTS_FOLDER}/junit.xml`;

/** The command that every pipeline runs. Server and token come from the environment. */
export function ciCommand(projectId: string | undefined, cadence: CiCadence): string {
  const project = projectId ?? '"$ASSAY_PROJECT"';
  // A pull request allows no failure; a nightly run tolerates known ones.
  const threshold = cadence === 'nightly' ? ' --threshold 95' : '';
  return `npx --yes assay-mcp@${version} ci qa --project ${project}${threshold} --junit ${CI_JUNIT_FILE} --html ${CI_RESULTS_FOLDER}/report.html`;
}

export const cadenceTexts: Record<CiCadence, { title: string; why: string }> = {
  onPullRequest: { title: 'on every pull request', why: 'A change is tested before it is merged.' },
  nightly: {
    title: 'every night',
    why: 'Finds failures without a code change, such as changed data, browsers and dependencies.',
  },
  onDemand: { title: 'on demand', why: 'Runs before a release, against any deployment.' },
};
