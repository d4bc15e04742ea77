/**
 * What a column holds; `?`: or nothing. JSON is text, for both dialects. `in <table>`: the id of a row there, with which this
 * row goes. Other ids are remembered without that: what they name may be gone.
 */
export type ColumnKind =
  | 'text'
  | 'text?'
  | 'integer'
  | 'integer?'
  | 'bigint'
  | 'bigint?'
  | 'real'
  | 'json'
  | `in ${string}`;

const project = 'in qa_projects';

/** The tables of the QA domain. Each has an id, an owner, and the times of creation and change besides. */
export const qaColumns = {
  qa_projects: { name: 'text', description: 'text?', url: 'text?', test_requirements: 'text?' },
  /** What was read of an uploaded document; the document itself is not kept. */
  qa_prd_files: {
    project_id: project,
    file_name: 'text',
    content_type: 'text',
    file_size: 'bigint',
    sha256: 'text',
    text: 'text',
  },
  /** One sentence, story, scenario or criterion of a document. */
  qa_requirements: {
    project_id: project,
    prd_file_id: 'in qa_prd_files',
    position: 'integer',
    kind: 'text',
    ref: 'text?',
    section: 'text?',
    text: 'text',
  },
  qa_secrets: {
    project_id: project,
    name: 'text',
    description: 'text?',
    source: 'text',
    sealed: 'text',
    key_id: 'text',
  },
  /** A use case that a scan recognised or an agent proposed. A later scan recognises it by its fingerprint. */
  qa_candidates: {
    project_id: project,
    fingerprint: 'text',
    status: 'text',
    source: 'text',
    class: 'text',
    title: 'text',
    description: 'text',
    user_story: 'text?',
    url: 'text?',
    priority: 'text',
    confidence: 'real',
    rank: 'real',
    /** Requirement and acceptance criterion, in pairs. */
    breakdown: 'json',
    /** Ids of the requirements that it answers. */
    requirements: 'json',
    /** Further evidence of the scan: forms, fields, locators. */
    details: 'json',
    use_case_id: 'text?',
    run_id: 'text?',
  },
  /** The comments of a candidate: where it was seen, and what. */
  qa_evidence: {
    project_id: project,
    candidate_id: 'in qa_candidates',
    position: 'integer',
    page_url: 'text',
    artifact_id: 'text?',
    notes: 'text',
    run_id: 'text?',
  },
  /** What was asked for, in a document or in words, and not found on any page. */
  qa_gaps: {
    project_id: project,
    requirement_id: 'text?',
    run_id: 'text?',
    position: 'integer',
    ref: 'text?',
    text: 'text',
    reason: 'text',
  },
  qa_use_cases: {
    project_id: project,
    candidate_id: 'text?',
    status: 'text',
    source: 'text',
    class: 'text',
    title: 'text',
    description: 'text',
    user_story: 'text?',
    url: 'text?',
    priority: 'text',
    category: 'text?',
    breakdown: 'json',
    requirements: 'json',
    details: 'json',
  },
  qa_test_cases: {
    project_id: project,
    use_case_id: 'in qa_use_cases',
    fingerprint: 'text',
    position: 'integer',
    status: 'text',
    source: 'text',
    title: 'text',
    description: 'text',
    goal: 'text',
    precondition: 'text?',
    instructions: 'text?',
    steps: 'json',
    data: 'json',
    expected_result: 'text',
    /** What the expectation rests on: specified or observed. */
    oracle: 'text',
    url: 'text',
    priority: 'text',
    category: 'text',
    tags: 'json',
    details: 'json',
  },
  qa_test_scripts: {
    project_id: project,
    use_case_id: 'in qa_use_cases',
    test_case_id: 'in qa_test_cases',
    version: 'integer',
    status: 'text',
    source: 'text',
    name: 'text',
    url: 'text',
    steps: 'json',
    /** The standalone Playwright test. */
    spec: 'text',
    /** Names of the secrets that it fills in. */
    secrets: 'json',
    /** How long a replay takes, for the order of a bulk; 0 where none was measured. */
    duration_ms: 'bigint',
    /** Its validation: attempts, evidence, mutations. */
    details: 'json',
    run_id: 'text?',
  },
  /** A configured workflow. */
  qa_runtimes: {
    project_id: project,
    kind: 'text',
    status: 'text',
    name: 'text?',
    payload: 'json',
    /** The addresses of the inside that its runs may visit; null for all. */
    inside: 'json',
    use_case_id: 'text?',
    test_case_id: 'text?',
    test_script_id: 'text?',
    /** Seconds between runs; null where it runs once. */
    interval_sec: 'integer?',
  },
  /** One execution of a runtime, done by a job; or a part of a bulk run, done by the job of its parent. */
  qa_runs: {
    project_id: project,
    runtime_id: 'in qa_runtimes',
    kind: 'text',
    parent_run_id: 'text?',
    job_id: 'text?',
    /** For a run with a job the job knows better: `runs/status.ts`. */
    status: 'text',
    progress: 'integer',
    message: 'text?',
    verdict: 'text?',
    /** Why it failed: infrastructure, stale script, product defect. */
    failure_class: 'text?',
    error: 'text?',
    result: 'json',
    /** Progress from which another worker continues if this one dies. */
    checkpoint: 'json',
    use_case_id: 'text?',
    test_case_id: 'text?',
    test_script_id: 'text?',
    batch_id: 'text?',
    started_at: 'bigint?',
    ended_at: 'bigint?',
  },
  qa_batches: { project_id: project, runtime_id: 'text', run_id: 'in qa_runs', name: 'text?', total: 'integer' },
  qa_batch_items: {
    project_id: project,
    batch_id: 'in qa_batches',
    position: 'integer',
    repetition: 'integer',
    test_script_id: 'text',
    test_case_id: 'text',
    status: 'text',
    run_id: 'text?',
    failure_class: 'text?',
    error: 'text?',
    duration_ms: 'bigint?',
    started_at: 'bigint?',
    ended_at: 'bigint?',
  },
  qa_step_results: {
    project_id: project,
    run_id: 'in qa_runs',
    attempt: 'integer',
    position: 'integer',
    action: 'text',
    description: 'text',
    status: 'text',
    /** 1: found by a fallback locator. */
    healed: 'integer',
    error: 'text?',
    duration_ms: 'bigint',
    artifact_id: 'text?',
    details: 'json',
  },
  /** A file that a run left, by its path from the home folder. */
  qa_artifacts: {
    project_id: project,
    run_id: 'text?',
    kind: 'text',
    name: 'text',
    file: 'text',
    content_type: 'text',
    file_size: 'bigint',
  },
  qa_report_preferences: {
    project_id: project,
    channels: 'json',
    emails: 'json',
    phones: 'json',
    webhook_url: 'text?',
    /** The sealed key that signs webhooks, if there is one. */
    webhook_secret: 'text?',
    default_format: 'text?',
    details: 'json',
  },
  qa_reports: {
    project_id: project,
    run_id: 'text?',
    format: 'text',
    status: 'text',
    /** The versioned document that every renderer starts from. */
    document: 'json',
    /** Ids of its files among the artifacts. */
    artifacts: 'json',
    error: 'text?',
    ended_at: 'bigint?',
  },
  qa_deliveries: {
    project_id: project,
    report_id: 'in qa_reports',
    channel: 'text',
    target: 'text',
    status: 'text',
    attempts: 'integer',
    error: 'text?',
    ended_at: 'bigint?',
  },
  qa_delivery_attempts: {
    project_id: project,
    delivery_id: 'in qa_deliveries',
    number: 'integer',
    status: 'text',
    response: 'text?',
    duration_ms: 'bigint',
  },
  /** What a run used up. The day is that of UTC, as YYYYMMDD. */
  qa_costs: {
    project_id: project,
    run_id: 'text',
    kind: 'text',
    day: 'text',
    use_case_id: 'text?',
    test_case_id: 'text?',
    test_script_id: 'text?',
    browser_ms: 'bigint',
    pages: 'integer',
    steps: 'integer',
    screenshots: 'integer',
    bytes: 'bigint',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

type QaColumns = typeof qaColumns;
export type QaTableName = keyof QaColumns;

type Stored<Kind extends ColumnKind> = Kind extends `${infer Bare}?`
  ? (Bare extends 'text' ? string : number) | null
  : Kind extends 'integer' | 'bigint' | 'real'
    ? number
    : string;

/** The rows of the QA domain as SQL knows them. */
export type QaTables = {
  [Table in QaTableName]: { id: string; owner: string; created_at: number; updated_at: number } & {
    -readonly [Column in keyof QaColumns[Table]]: QaColumns[Table][Column] extends ColumnKind
      ? Stored<QaColumns[Table][Column]>
      : never;
  };
};
