import type { CasePlan, UseCaseInput } from '../case-plan.ts';

const multiPageClasses = ['wizard', 'checkout', 'booking'];
const cartClasses = ['cart', 'voucher', 'checkout'];

/** The common part of all plans of a use case. */
export function basePlan({ evidence, others }: UseCaseInput): CasePlan {
  const cart = cartClasses.includes(evidence.class) ? others.find((other) => other.class === 'add-to-cart') : undefined;
  return {
    kind: 'happy',
    before: cart ? [cart.id] : [],
    signIn: evidence.needsLogin,
    entry: evidence.entryUrl,
    stays: false,
    page: 0,
    unchecked: false,
    values: {},
    secrets: {},
    typed: [],
    send: 'once',
    control: null,
    goesOn: multiPageClasses.includes(evidence.class) || evidence.stages.length > 1,
    after: [],
    expected: { outcome: 'observed', says: [] },
  };
}
