import { version } from '../../platform/version.ts';

export const ciCadences = ['onPullRequest', 'nightly', 'onDemand'] as const;
export type CiCadence = (typeof ciCadences)[number];

/** Where results go in every pipeline, so that its other lines can name them. */
export const CI_RESULTS_FOLDER = 'assay-results';
export const CI_JUNIT_FILE = `${CI_RESULTS_FOLDER}/junit.xml`;

/** The one line that every pipeline runs. Address and token come by the environment. */
export function ciCommand(projectId: string | undefined, cadence: CiCadence): string {
  const project = projectId ?? '"$ASSAY_PROJECT"';
  // On a pull request one failing test is one too many; by night some may be known.
  const threshold = cadence === 'nightly' ? ' --threshold 95' : '';
  return `npx --yes assay-mcp@${version} ci qa --project ${project}${threshold} --junit ${CI_JUNIT_FILE} --html ${CI_RESULTS_FOLDER}/report.html`;
}

export const cadenceTexts: Record<CiCadence, { title: string; why: string }> = {
  onPullRequest: { title: 'on every pull request', why: 'A change is tested before it is merged.' },
  nightly: {
    title: 'every night',
    why: 'What no change brought about, such as data, browsers and neighbours, is found too.',
  },
  onDemand: { title: 'when somebody asks', why: 'Before a release, against whichever address is to be tested.' },
};
