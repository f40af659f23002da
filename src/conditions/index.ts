/**
 * Conditions: who sees a section, a site space, a link of the header or a part of a page (decision 3.20).
 *
 * A condition is one JavaScript expression over `visitor.claims`, `visitor.claims.unsigned` and `space.vars`, such as
 * `visitor.claims.plan === "gold" || visitor.claims.isStaff`. {@link parseCondition} reads it when it is written and
 * answers a tree, or throws a {@link ConditionError} that says what is wrong and where. {@link evaluateCondition} walks
 * the tree when a site is served. Nothing is ever run as code: acorn only reads, the forms that are accepted are
 * translated into nodes of our own, and the walk knows these nodes alone.
 *
 * Accepted are literals (with template texts, lists and objects), `a.b`, `a["b"]`, `a?.b`, comparisons and `in`,
 * `&& || ! ??`, the ternary, `+ - * / %`, unary `-`, `typeof`; of texts `length at startsWith endsWith includes
 * toLowerCase toUpperCase trim`; of lists `length at includes some every filter map`, the last four with an arrow
 * function of one expression. Values are plain data: only what an object itself holds is read, accessors are not run, and
 * `__proto__`, `constructor` and `prototype` are refused, also as keys that are put together while evaluating.
 *
 * {@link isShown} and {@link textFor} do both for conditions and expressions as they are written.
 *
 * A claim that is missing is `undefined`; reading through it is an error, and errors hide. What JavaScript answers, a
 * condition answers, with two exceptions, both errors: an object that has to become text or a number, and whatever goes
 * over the budget of `evaluateCondition`.
 */
export {
  type ConditionVariables,
  evaluateCondition,
  NO_CLAIMS,
  variablesOf,
  type VisitorClaims,
} from './evaluate-condition.js';
export { ConditionError, parseCondition } from './parse-condition.js';
export { type Condition, FORBIDDEN_NAMES } from './tree.js';
export { isShown, textFor } from './written-condition.js';
