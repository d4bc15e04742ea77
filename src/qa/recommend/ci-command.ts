import { version } from '../../platform/version.ts';

export const cadences = ['onPullRequest', 'nightly', 'onDemand'] as const;
export type Cadence = (typeof cadences)[number];

/** Where results go in every pipeline, so that its other lines can name them. */
export const RESULTS = 'assay-results';
export const JUNIT = `${RESULTS}/junit.xml`;

/** The one line that every pipeline runs. Address and token come by the environment. */
export function ciCommand(projectId: string | undefined, cadence: Cadence): string {
  const project = projectId ?? '"$ASSAY_PROJECT"';
  // On a pull request one failing test is one too many; by night some may be known.
  const threshold = cadence === 'nightly' ? ' --threshold 95' : '';
  return `npx --yes assay-mcp@${version} ci qa --project ${project}${threshold} --junit ${JUNIT} --html ${RESULTS}/report.html`;
}

export const words: Record<Cadence, { title: string; why: string }> = {
  onPullRequest: { title: 'on every pull request', why: 'A change is tested before it is merged.' },
  nightly: {
    title: 'every night',
    why: 'What no change brought about, such as data, browsers and neighbours, is found too.',
  },
  onDemand: { title: 'when somebody asks', why: 'Before a release, against whichever address is to be tested.' },
};
