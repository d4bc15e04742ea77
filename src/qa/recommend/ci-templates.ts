import { CI_JUNIT_FILE, CI_RESULTS_FOLDER, type CiCadence, ciCommand } from './ci-command.ts';

export const ciProviders = ['github', 'azureDevOps', 'gitlab', 'other'] as const;
export type CiProvider = (typeof ciProviders)[number];

export interface CiTemplate {
  provider: string;
  /** Path in the repository. */
  path: string;
  language: 'yaml' | 'groovy' | 'sh';
  content: string;
}

interface TemplateInput {
  projectId: string | undefined;
  cadence: CiCadence;
  /** Cron line of nightly runs, in UTC. */
  cron: string;
}

type TemplateWriter = (wanted: TemplateInput) => CiTemplate;

/** Complete CI files. `other` returns Jenkins, CircleCI and a shell script. */
export function ciTemplates(provider: CiProvider, wanted: TemplateInput): CiTemplate[] {
  const writers: Record<CiProvider, TemplateWriter[]> = {
    github: [github],
    azureDevOps: [azure],
    gitlab: [gitlab],
    other: [jenkins, circle, shell],
  };
  return writers[provider].map((write) => write(wanted));
}

const github: TemplateWriter = ({ projectId, cadence, cron }) => {
  const on: Record<CiCadence, string> = {
    onPullRequest: '  pull_request:\n',
    nightly: `  schedule:\n    - cron: '${cron}'\n`,
    onDemand: `  workflow_dispatch:
    inputs:
      base_url:
        description: Address to test instead of the project's own
        required: false
        type: string
`,
  };
  const baseUrl = cadence === 'onDemand' ? `          ASSAY_BASE_URL: \${{ inputs.base_url }}\n` : '';
  // Without the token the job could only fail.
  const hasSecrets =
    cadence === 'onPullRequest'
      ? "    if: github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]'\n"
      : '';
  return {
    provider: 'GitHub Actions',
    path: `.github/workflows/assay-${kebab(cadence)}.yml`,
    language: 'yaml',
    content: `name: Assay QA (${kebab(cadence)})
on:
${on[cadence]}permissions:
  contents: read
concurrency:
  group: assay-${kebab(cadence)}-\${{ github.ref }}
  cancel-in-progress: ${cadence === 'onPullRequest'}
jobs:
  qa:
${hasSecrets}    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/setup-node@v4
        with:
          node-version: '24'
      - name: Run the suite
        run: ${ciCommand(projectId, cadence)}
        env:
          ASSAY_SERVER: \${{ vars.ASSAY_SERVER }}
          ASSAY_TOKEN: \${{ secrets.ASSAY_TOKEN }}
${projectId === undefined ? `          ASSAY_PROJECT: \${{ vars.ASSAY_PROJECT }}\n` : ''}${baseUrl}      - name: Keep the report
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: assay-results
          path: ${CI_RESULTS_FOLDER}
`,
  };
};

const azure: TemplateWriter = ({ projectId, cadence, cron }) => {
  const triggers: Record<CiCadence, string> = {
    onPullRequest: 'trigger: none\npr:\n  branches:\n    include:\n      - "*"\n',
    nightly: `trigger: none\npr: none\nschedules:\n  - cron: '${cron}'\n    displayName: Nightly\n    branches:\n      include:\n        - main\n    always: true\n`,
    onDemand: `trigger: none\npr: none\nparameters:\n  - name: baseUrl\n    displayName: Address to test instead of the project's own\n    type: string\n    default: ' '\n`,
  };
  const baseUrl = cadence === 'onDemand' ? `          ASSAY_BASE_URL: \${{ parameters.baseUrl }}\n` : '';
  return {
    provider: 'Azure DevOps',
    path: `azure-pipelines-assay-${kebab(cadence)}.yml`,
    language: 'yaml',
    content: `${triggers[cadence]}pool:
  vmImage: ubuntu-latest
jobs:
  - job: qa
    displayName: Assay QA
    timeoutInMinutes: 60
    steps:
      - checkout: none
      - task: NodeTool@0
        inputs:
          versionSpec: '24.x'
      - script: ${ciCommand(projectId, cadence)}
        displayName: Run the suite
        env:
          ASSAY_SERVER: $(ASSAY_SERVER)
          ASSAY_TOKEN: $(ASSAY_TOKEN)
${projectId === undefined ? '          ASSAY_PROJECT: $(ASSAY_PROJECT)\n' : ''}${baseUrl}      - task: PublishTestResults@2
        condition: succeededOrFailed()
        inputs:
          testResultsFormat: JUnit
          testResultsFiles: ${CI_JUNIT_FILE}
      - task: PublishPipelineArtifact@1
        condition: succeededOrFailed()
        inputs:
          targetPath: ${CI_RESULTS_FOLDER}
          artifact: assay-results
`,
  };
};

const gitlab: TemplateWriter = ({ projectId, cadence }) => {
  // Shown in the form when the pipeline is started by hand.
  const asked =
    cadence === 'onDemand'
      ? "variables:\n  ASSAY_BASE_URL:\n    value: ''\n    description: Address to test instead of the project's own\n"
      : '';
  const rules: Record<CiCadence, string> = {
    onPullRequest: "    - if: $CI_PIPELINE_SOURCE == 'merge_request_event'\n",
    nightly: "    - if: $CI_PIPELINE_SOURCE == 'schedule'\n",
    onDemand: "    - if: $CI_PIPELINE_SOURCE == 'web'\n    - if: $CI_PIPELINE_SOURCE == 'api'\n",
  };
  return {
    provider: 'GitLab CI',
    path: '.gitlab-ci.yml',
    language: 'yaml',
    content: `${asked}assay-${kebab(cadence)}:
  image: node:24
  timeout: 1h
  rules:
${rules[cadence]}  variables:
    GIT_STRATEGY: none
  script:
    - ${ciCommand(projectId, cadence)}
  artifacts:
    when: always
    expire_in: 2 weeks
    paths:
      - ${CI_RESULTS_FOLDER}
    reports:
      junit: ${CI_JUNIT_FILE}
`,
  };
};

const jenkins: TemplateWriter = ({ projectId, cadence, cron }) => {
  const triggers: Record<CiCadence, string> = {
    onPullRequest: '',
    nightly: `  triggers {\n    cron('TZ=UTC\\n${cron}')\n  }\n`,
    onDemand: `  parameters {\n    string(name: 'ASSAY_BASE_URL', defaultValue: '', description: 'Address to test instead of the project\\'s own')\n  }\n`,
  };
  const when = cadence === 'onPullRequest' ? '      when { changeRequest() }\n' : '';
  return {
    provider: 'Jenkins',
    path: 'Jenkinsfile',
    language: 'groovy',
    content: `pipeline {
  agent { docker { image 'node:24' } }
  options { timeout(time: 60, unit: 'MINUTES') }
${triggers[cadence]}  environment {
    ASSAY_TOKEN = credentials('assay-token')
    npm_config_cache = '.npm'
  }
  stages {
    stage('Assay QA') {
${when}      steps {
        sh '${ciCommand(projectId, cadence)}'
      }
    }
  }
  post {
    always {
      junit testResults: '${CI_JUNIT_FILE}', allowEmptyResults: true
      archiveArtifacts artifacts: '${CI_RESULTS_FOLDER}/**', allowEmptyArchive: true
    }
  }
}
`,
  };
};

const circle: TemplateWriter = ({ projectId, cadence, cron }) => {
  const workflows: Record<CiCadence, string> = {
    onPullRequest: '    jobs:\n      - qa:\n          filters:\n            branches:\n              ignore: main\n',
    nightly: `    jobs:\n      - qa\n    triggers:\n      - schedule:\n          cron: '${cron}'\n          filters:\n            branches:\n              only: main\n`,
    // A push does not set the parameter, so nothing runs.
    onDemand: '    when: << pipeline.parameters.assay >>\n    jobs:\n      - qa\n',
  };
  const asked =
    cadence === 'onDemand'
      ? "parameters:\n  assay:\n    type: boolean\n    default: false\n  base_url:\n    type: string\n    default: ''\n"
      : '';
  const baseUrl =
    cadence === 'onDemand' ? '    environment:\n      ASSAY_BASE_URL: << pipeline.parameters.base_url >>\n' : '';
  return {
    provider: 'CircleCI',
    path: '.circleci/config.yml',
    language: 'yaml',
    content: `version: 2.1
${asked}jobs:
  qa:
    docker:
      - image: cimg/node:24.0
${baseUrl}    steps:
      - run:
          name: Run the suite
          command: ${ciCommand(projectId, cadence)}
      - store_test_results:
          path: ${CI_RESULTS_FOLDER}
      - store_artifacts:
          path: ${CI_RESULTS_FOLDER}
workflows:
  assay-${kebab(cadence)}:
${workflows[cadence]}`,
  };
};

const shell: TemplateWriter = ({ projectId, cadence, cron }) => ({
  provider: 'any shell',
  path: `assay-${kebab(cadence)}.sh`,
  language: 'sh',
  content: `#!/bin/sh
# Runs the suite ${cadence === 'nightly' ? `every night; in a crontab (UTC): ${cron} /path/to/assay-nightly.sh` : cadence === 'onPullRequest' ? 'for a change; call it from whatever builds it' : 'on demand: ASSAY_BASE_URL=https://preview.example ./assay-on-demand.sh'}.
set -eu
: "\${ASSAY_SERVER:?the address of the Assay server, such as https://assay.example/mcp}"
: "\${ASSAY_TOKEN:?a token for it}"
${projectId === undefined ? `: "\${ASSAY_PROJECT:?the id of the project}"\n` : ''}export ASSAY_SERVER ASSAY_TOKEN
mkdir -p ${CI_RESULTS_FOLDER}
exec ${ciCommand(projectId, cadence)}
`,
});

function kebab(cadence: CiCadence): string {
  return cadence.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
