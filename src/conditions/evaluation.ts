import { Budget, checked, EvaluationError } from './budget.js';
import type { BinaryOperator, Condition, Link, ListMethod, Method } from './tree.js';
import { comparableOf, isIn, itemsOf, looselyEqual, memberOf, numberOf, ownOf, sumOf, textOf } from './values.js';

/** What a chain answers that ended at `?.`; it never leaves the chain. */
const ENDED = Symbol('ended');

/** A search for a text of m characters in one of n takes up to n·m steps: so many cost as much as a visit. */
const STEPS_OF_A_VISIT = 100_000;

/** Names of an arrow function, and those around it. */
interface Scope {
  readonly name: string;
  readonly value: unknown;
  readonly outer: Scope | null;
}

/** One evaluation of a condition over `variables`, with a budget of its own. */
export class Evaluation {
  private readonly budget = new Budget();
  /** An arrow function is called where it stands, so the names around the call are those around the function. */
  private scope: Scope | null = null;

  constructor(private readonly variables: object) {}

  /** The value of `node`: plain data. @throws EvaluationError when it has none, or costs too much */
  of(node: Condition): unknown {
    return checked(this.budget.spend(() => this.value(node)));
  }

  private value(node: Condition): unknown {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'undefined':
        return undefined;
      case 'name':
        return this.named(node.name);
      case 'array':
        return node.items.map((item) => this.of(item));
      case 'object':
        return this.object(node.entries);
      case 'template':
        return this.template(node.texts, node.parts);
      case 'chain': {
        const value = this.holder(node.of);
        return value === ENDED ? undefined : value;
      }
      case 'unary':
        return this.unary(node);
      case 'binary':
        return this.binary(node.operator, this.of(node.left), this.of(node.right));
      case 'logic': {
        const left = this.of(node.left);
        const decided =
          node.operator === '??' ? left !== null && left !== undefined : !left === (node.operator === '&&');
        return decided ? left : this.of(node.right);
      }
      case 'choice':
        return this.of(this.of(node.test) ? node.then : node.otherwise);
      case 'member':
      case 'item':
      case 'call':
      case 'each':
        return this.link(node);
    }
  }

  private named(name: string): unknown {
    for (let scope = this.scope; scope !== null; scope = scope.outer) {
      if (scope.name === name) return scope.value;
    }
    return ownOf(this.variables, name);
  }

  private object(entries: readonly { key: string; value: Condition }[]): object {
    // without a prototype, so that no name is inherited and none can be set by writing to it
    const object = Object.create(null) as Record<string, unknown>;
    for (const { key, value } of entries) object[key] = this.of(value);
    return object;
  }

  private template(texts: readonly string[], parts: readonly Condition[]): string {
    let text = '';
    for (const [index, constant] of texts.entries()) {
      const part = parts[index];
      text += part ? constant + textOf(this.of(part), this.budget) : constant;
      checked(text);
    }
    return text;
  }

  private unary({ operator, of }: Extract<Condition, { kind: 'unary' }>): unknown {
    const value = this.of(of);
    if (operator === '!') return !value;
    return operator === '-' ? -numberOf(value, this.budget) : typeof value;
  }

  private binary(operator: BinaryOperator, left: unknown, right: unknown): unknown {
    const { budget } = this;
    switch (operator) {
      case '===':
        return left === right;
      case '!==':
        return left !== right;
      case '==':
        return looselyEqual(left, right, budget);
      case '!=':
        return !looselyEqual(left, right, budget);
      case 'in':
        return isIn(textOf(left, budget), right);
      case '+':
        return sumOf(left, right, budget);
      case '-':
      case '*':
      case '/':
      case '%':
        return calculated(operator, numberOf(left, budget), numberOf(right, budget));
      default: {
        const [one, other] = comparableOf(left, right, budget);
        return compared(operator, one, other);
      }
    }
  }

  /** What a link of a chain hangs on: a value, or that the chain has ended. */
  private holder(node: Condition): unknown {
    const isLink = node.kind === 'member' || node.kind === 'item' || node.kind === 'call' || node.kind === 'each';
    if (!isLink) return this.of(node);
    const value = this.budget.spend(() => this.link(node));
    return value === ENDED ? ENDED : checked(value);
  }

  private link(node: Link): unknown {
    const object = this.holder(node.object);
    if (object === ENDED || (node.optional && (object === null || object === undefined))) return ENDED;
    switch (node.kind) {
      case 'member':
        return memberOf(object, node.name);
      case 'item':
        return this.item(object, node.key);
      case 'call':
        return this.call(object, node.method, node.args);
      case 'each':
        return this.each(object, node);
    }
  }

  private item(object: unknown, key: Condition): unknown {
    const name = this.of(key);
    return memberOf(object, textOf(name, this.budget));
  }

  private call(object: unknown, method: Method, args: readonly Condition[]): unknown {
    const [first, second] = args.map((arg) => this.of(arg));
    const from = second === undefined ? undefined : numberOf(second, this.budget);
    if (typeof object === 'string') return this.textCall(object, method, first, from);
    if (method === 'at') return itemsOf(object).at(numberOf(first, this.budget));
    if (method === 'includes') return itemsOf(object).includes(first, from);
    throw new EvaluationError(`${method} needs a text`);
  }

  private textCall(text: string, method: Method, first: unknown, from: number | undefined): unknown {
    switch (method) {
      case 'toLowerCase':
        return text.toLowerCase();
      case 'toUpperCase':
        return text.toUpperCase();
      case 'trim':
        return text.trim();
      case 'at':
        return text.at(numberOf(first, this.budget));
      case 'startsWith':
        return text.startsWith(textOf(first, this.budget), from);
      case 'endsWith':
        return text.endsWith(textOf(first, this.budget), from);
      case 'includes': {
        const part = textOf(first, this.budget);
        this.budget.charge(Math.floor((text.length * part.length) / STEPS_OF_A_VISIT));
        return text.includes(part, from);
      }
    }
  }

  private each(object: unknown, { method, params, body }: Extract<Link, { kind: 'each' }>): unknown {
    const items = itemsOf(object);
    return overList(method, items, (item, index) => this.applied(params, [item, index, object], body));
  }

  /** The value of `body` where `params` stand for `values`. */
  private applied(params: readonly string[], values: readonly unknown[], body: Condition): unknown {
    const outer = this.scope;
    for (const [index, name] of params.entries()) this.scope = { name, value: values[index], outer: this.scope };
    const value = this.of(body);
    this.scope = outer;
    return value;
  }
}

function overList(method: ListMethod, items: unknown[], apply: (item: unknown, index: number) => unknown): unknown {
  switch (method) {
    case 'filter':
      return items.filter((item, index) => Boolean(apply(item, index)));
    case 'map':
      return items.map((item, index) => apply(item, index));
    case 'some':
      return items.some((item, index) => Boolean(apply(item, index)));
    case 'every':
      return items.every((item, index) => Boolean(apply(item, index)));
  }
}

function calculated(operator: '-' | '*' | '/' | '%', left: number, right: number): number {
  switch (operator) {
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
  }
}

function compared<T extends string | number>(operator: '<' | '<=' | '>' | '>=', left: T, right: T): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}
