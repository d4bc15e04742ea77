/** The words by which claims about the work are recognized, as data. */

interface ClaimTopic {
  language: 'en';
  pattern: RegExp;
  gates: readonly string[];
}

/** What a claim is about, and the gates that have the evidence. */
export const claimTopics: readonly ClaimTopic[] = [
  {
    language: 'en',
    pattern:
      /\btests?\b[^.]*\b(?:pass(?:es|ed|ing)?|green|succeed\w*|work(?:s|ing)?)\b|\b(?:all|everything)\s+(?:is\s+)?(?:green|passing|passes)\b/i,
    gates: ['test_results'],
  },
  // Passing tests do not prove that the change itself is tested.
  { language: 'en', pattern: /\btested\b/i, gates: ['test_results', 'acceptance_criteria', 'patch_coverage'] },
  { language: 'en', pattern: /\bcoverage\b|\bcovered\b/i, gates: ['coverage_threshold', 'patch_coverage'] },
  { language: 'en', pattern: /\bmutation\b|\bmutants?\b/i, gates: ['mutation_threshold'] },
  { language: 'en', pattern: /\bcontracts?\b|\bopenapi\b|\bgraphql\b/i, gates: ['contract_compliance'] },
  { language: 'en', pattern: /\b(?:in|within|inside)\s+(?:the\s+)?scope\b/i, gates: ['scope_boundary'] },
  { language: 'en', pattern: /\b(?:in|within|under)\s+(?:the\s+)?budget\b/i, gates: ['budget_limit'] },
  { language: 'en', pattern: /\bacceptance\b|\bcriteria\b|\bcriterion\b/i, gates: ['acceptance_criteria'] },
  { language: 'en', pattern: /\b(?:all\s+)?(?:done|complete[d]?|finished|ready)\b/i, gates: [] },
];

/** English words that make a sentence a plan, a doubt or a complaint instead of a claim. */
export const planOrDenial =
  /\b(?:not|no|never|without|need(?:s|ed)?|needing|todo|to do|will|should|must|want|plan\w*|next|still|remain\w*|missing|pending|yet|later|fail\w*|broken|stuck|block\w*|partly|partially|half|almost|nearly|until|before)\b|n't\b/i;
/** English words and punctuation between two claims. */
export const claimBoundary = /[.;!?\n]+|,\s*|\b(?:but|however|although|and)\b/i;
