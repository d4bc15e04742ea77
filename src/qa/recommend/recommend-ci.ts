import { createHash } from 'node:crypto';
import { CI_RESULTS_FOLDER, type CiCadence, cadenceTexts } from './ci-command.ts';
import { type CiProvider, type CiTemplate, ciTemplates } from './ci-templates.ts';

/** A CI file for the repository, with its rationale and further steps. */
export interface CiRecommendation {
  title: string;
  rationale: string;
  steps: string[];
  template: Pick<CiTemplate, 'path' | 'language' | 'content'>;
}

export function recommendCi(wanted: {
  provider: CiProvider;
  cadence: CiCadence;
  projectId: string | undefined;
}): CiRecommendation[] {
  const { provider, cadence, projectId } = wanted;
  const minute = createHash('sha256')
    .update(projectId ?? '')
    .digest()
    .readUInt8();
  const templates = ciTemplates(provider, { projectId, cadence, cron: `${5 + (minute % 50)} 2 * * *` });
  return templates.map((template) => {
    const { path, language, content } = template;
    return {
      title: `${template.provider}: run the suite ${cadenceTexts[cadence].title}`,
      rationale: `${cadenceTexts[cadence].why} The pipeline fails when the verdict does, and keeps JUnit results and an HTML report in ${CI_RESULTS_FOLDER}/.`,
      steps: [
        `Save the template as ${path}${template.provider === 'GitLab CI' ? ' (or add the job to the existing file)' : ''}.`,
        ...(template.provider === 'Jenkins' ? jenkinsSteps(cadence) : []),
        ...secretSteps(template.provider, projectId, cadence),
        ...cadenceSteps(template.provider, cadence),
      ],
      template: { path, language, content },
    };
  });
}

function jenkinsSteps(cadence: CiCadence): string[] {
  return [
    'Jenkins needs the plugins Docker Pipeline and JUnit, and an agent with Docker.',
    ...(cadence === 'onPullRequest' ? ['Make it a multibranch pipeline that discovers pull requests.'] : []),
  ];
}

function secretSteps(provider: string, projectId: string | undefined, cadence: CiCadence): string[] {
  const settingsPages: Record<string, [variables: string, secrets: string]> = {
    'GitHub Actions': ['Settings, Secrets and variables, Actions, Variables', 'the same page, Secrets'],
    'Azure DevOps': ['Pipelines, Edit, Variables', 'the same page, as a secret'],
    'GitLab CI': ['Settings, CI/CD, Variables', 'the same page, masked'],
    Jenkins: ['Manage Jenkins, System, Global properties', 'Credentials, as a secret text with the id assay-token'],
    CircleCI: ['Project settings, Environment variables', 'the same page'],
    'any shell': ['the environment', 'the environment, not a file in the repository'],
  };
  const [variables = '', secrets = ''] = settingsPages[provider] ?? [];
  return [
    `Set ASSAY_SERVER to the address of your Assay server, such as https://assay.example/mcp${projectId === undefined ? ', and ASSAY_PROJECT to the id of the project' : ''}: ${variables}.`,
    `Set ASSAY_TOKEN to a token with the scope qa:write: ${secrets}.`,
    ...(cadence === 'onDemand' ? ['To test a preview instead of the project’s own address, set ASSAY_BASE_URL.'] : []),
    'It installs the package assay-mcp: until that is published, put the tarball that `npm pack` makes in its place.',
  ];
}

function cadenceSteps(provider: string, cadence: CiCadence): string[] {
  if (provider === 'GitLab CI' && cadence === 'nightly') return ['Add a schedule: Build, Pipeline schedules.'];
  if (provider === 'any shell' && cadence === 'nightly') return ['Add the line at its top to a crontab.'];
  if (provider === 'any shell') return ['Call it from your build; its exit code is the verdict.'];
  const required = 'Make the check required, so that nothing is merged that fails it.';
  if (provider === 'Azure DevOps' && cadence === 'onPullRequest')
    return [
      'For a repository in Azure Repos, add the pipeline as a build validation: Project settings, Repositories, Policies (its pr trigger is for GitHub and Bitbucket).',
      required,
    ];
  if (provider === 'CircleCI' && cadence === 'onPullRequest')
    return ['Turn on Project settings, Advanced, Only build pull requests.', required];
  if (provider === 'GitHub Actions' && cadence === 'onPullRequest')
    return [
      'Pull requests from forks, and those of Dependabot, get no secrets: the job is skipped for them.',
      required,
    ];
  if (cadence === 'onPullRequest') return [required];
  if (provider === 'CircleCI' && cadence === 'onDemand')
    return [
      'Start it by Trigger Pipeline, with the parameter assay set to true, and base_url to an address to test a preview instead of the project’s own.',
    ];
  if (cadence === 'onDemand')
    return ['Start it by hand; give an address to test a preview instead of the project’s own.'];
  return [];
}
