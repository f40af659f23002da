import type {
  AnyNode,
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  MemberExpression,
  ObjectExpression,
  Property,
  SpreadElement,
  TemplateLiteral,
} from 'acorn';
import {
  BINARY_OPERATORS,
  type Condition,
  FORBIDDEN_NAMES,
  isOneOf,
  type Link,
  LIST_METHODS,
  type ListMethod,
  MAX_LEVELS,
  type Method,
  METHODS,
  UNARY_OPERATORS,
  VARIABLES,
} from './tree.js';

/** Something that a condition must not hold, and where it begins, in UTF-16 units. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

const METHOD_NAMES = Object.keys(METHODS) as Method[];
const OFFERED = [...METHOD_NAMES, ...LIST_METHODS].join(', ');
export const TOO_DEEP = `at most ${MAX_LEVELS} levels are possible`;
export const NO_ASSIGNMENT = 'an assignment is not possible; compare with ===';
const IN_LISTS = 'an arrow function stands in the call of filter, map, some or every only';
const NO_FUNCTIONS = 'functions and classes are not possible';

/** What is said of a form that is left out. */
const LEFT_OUT: Readonly<Partial<Record<AnyNode['type'], string>>> = {
  AssignmentExpression: NO_ASSIGNMENT,
  UpdateExpression: '++ and -- are not possible',
  NewExpression: 'new is not possible',
  FunctionExpression: NO_FUNCTIONS,
  ClassExpression: NO_FUNCTIONS,
  ArrowFunctionExpression: IN_LISTS,
  SequenceExpression: 'only one expression is possible; join several with && or ||',
  ThisExpression: 'this is not possible; begin with visitor or space',
  Super: 'super is not possible',
  AwaitExpression: 'await is not possible',
  YieldExpression: 'yield is not possible',
  ImportExpression: 'import is not possible',
  MetaProperty: 'import is not possible',
  TaggedTemplateExpression: 'a tag in front of a template text is not possible',
  SpreadElement: 'spreading with ... is not possible',
};

/**
 * Translates what the parser read into the tree of a condition. Only the forms that are named here pass; everything else
 * that JavaScript has, now or later, is refused.
 */
export class Translation {
  /** Parameters of the arrow functions around the place that is being translated. */
  private readonly params: string[] = [];
  private level = 0;

  /** The tree of `node`. @throws Refusal */
  of(node: Expression): Condition {
    const inner = bare(node);
    this.level += 1;
    if (this.level > MAX_LEVELS) throw new Refusal(TOO_DEEP, inner.start);
    const tree = Object.freeze(this.form(inner));
    this.level -= 1;
    return tree;
  }

  private form(node: Expression): Condition {
    switch (node.type) {
      case 'Identifier':
        return this.name(node.name, node.start);
      case 'Literal':
        return literal(node.value, node.start);
      case 'TemplateLiteral':
        return this.template(node);
      case 'ArrayExpression':
        return { kind: 'array', items: this.list(node.elements, node.start) };
      case 'ObjectExpression':
        return { kind: 'object', entries: Object.freeze(this.entries(node)) };
      case 'MemberExpression':
        return this.member(node);
      case 'CallExpression':
        return this.call(node);
      case 'ChainExpression':
        return { kind: 'chain', of: this.of(node.expression) };
      case 'UnaryExpression':
        if (!isOneOf(UNARY_OPERATORS, node.operator)) throw refusedOperator(node.operator, node.start);
        return { kind: 'unary', operator: node.operator, of: this.of(node.argument) };
      case 'BinaryExpression': {
        const { operator, left, right } = node;
        if (left.type === 'PrivateIdentifier') throw new Refusal('private names are not possible', left.start);
        if (!isOneOf(BINARY_OPERATORS, operator)) throw refusedOperator(operator, node.start);
        return { kind: 'binary', operator, left: this.of(left), right: this.of(right) };
      }
      case 'LogicalExpression':
        return { kind: 'logic', operator: node.operator, left: this.of(node.left), right: this.of(node.right) };
      case 'ConditionalExpression': {
        const [test, then] = [this.of(node.test), this.of(node.consequent)];
        return { kind: 'choice', test, then, otherwise: this.of(node.alternate) };
      }
      default:
        throw leftOut(node);
    }
  }

  private name(name: string, start: number): Condition {
    checkName(name, start);
    if (name === 'undefined') return { kind: 'undefined' };
    if (!this.params.includes(name) && !isOneOf(VARIABLES, name)) {
      throw new Refusal(`there is no ${name}; begin with ${VARIABLES.join(' or ')}`, start);
    }
    return { kind: 'name', name };
  }

  private template(node: TemplateLiteral): Condition {
    const texts = node.quasis.map(({ value }) => value.cooked ?? value.raw);
    const parts = node.expressions.map((part) => this.of(part));
    return { kind: 'template', texts: Object.freeze(texts), parts: Object.freeze(parts) };
  }

  /** Items of a list, or what a method is given. */
  private list(nodes: readonly (Expression | SpreadElement | null)[], start: number): readonly Condition[] {
    const items = nodes.map((node) => {
      if (node === null) throw new Refusal('a list has a gap; write undefined there', start);
      if (node.type === 'SpreadElement') throw leftOut(node);
      return this.of(node);
    });
    return Object.freeze(items);
  }

  private entries(node: ObjectExpression): { key: string; value: Condition }[] {
    return node.properties.map((property) => {
      if (property.type === 'SpreadElement') throw leftOut(property);
      return Object.freeze({ key: keyOf(property), value: this.of(property.value) });
    });
  }

  private member(node: MemberExpression): Link {
    const { optional } = node;
    const object = this.of(holderOf(node));
    const name = nameOf(node);
    if (name !== undefined) return { kind: 'member', object, name, optional };
    return { kind: 'item', object, key: this.of(keyExpressionOf(node)), optional };
  }

  private call(node: CallExpression): Link {
    const { callee } = node;
    if (node.optional) throw new Refusal('?.( is not possible', callee.end);
    const method = callee.type === 'MemberExpression' ? nameOf(callee) : undefined;
    if (callee.type !== 'MemberExpression' || method === undefined) {
      throw new Refusal(`only a method can be called, by its name: ${OFFERED}`, node.start);
    }
    const { optional } = callee;
    const object = this.of(holderOf(callee));
    if (isOneOf(LIST_METHODS, method)) return this.each(node, object, method, optional);
    if (!isOneOf(METHOD_NAMES, method)) {
      throw new Refusal(`there is no method ${method}; there are ${OFFERED}`, callee.property.start);
    }
    const [least, most] = METHODS[method];
    if (node.arguments.length < least || node.arguments.length > most) {
      const count = least === most ? least : `${least} or ${most}`;
      throw new Refusal(`${method} takes ${count} ${count === 1 ? 'value' : 'values'}`, callee.property.start);
    }
    return { kind: 'call', object, method, args: this.list(node.arguments, node.start), optional };
  }

  private each(node: CallExpression, object: Condition, method: ListMethod, optional: boolean): Link {
    const [first, ...others] = node.arguments;
    const arrow = first && first.type !== 'SpreadElement' ? bare(first) : undefined;
    if (arrow?.type !== 'ArrowFunctionExpression' || others.length > 0) {
      throw new Refusal(`${method} takes one arrow function, such as item => item === "x"`, node.start);
    }
    const params = paramsOf(arrow);
    if (arrow.async || arrow.body.type === 'BlockStatement') {
      throw new Refusal('the body of an arrow function is one expression, without await', arrow.body.start);
    }
    this.params.push(...params);
    const body = this.of(arrow.body);
    this.params.length -= params.length;
    return { kind: 'each', object, method, params, body, optional };
  }
}

/** `node` without the parentheses around it. */
function bare(node: Expression): Exclude<Expression, { type: 'ParenthesizedExpression' }> {
  let inner = node;
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression;
  return inner;
}

function leftOut(node: AnyNode): Refusal {
  return new Refusal(LEFT_OUT[node.type] ?? `${node.type} is not possible`, node.start);
}

function refusedOperator(operator: string, start: number): Refusal {
  return new Refusal(`the operator ${operator} is not possible`, start);
}

function literal(value: unknown, start: number): Condition {
  if (value instanceof RegExp) throw new Refusal('regular expressions are not possible', start);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return { kind: 'literal', value };
  // JSON has no form for an infinite number
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'literal', value };
  throw new Refusal('this number is not possible', start);
}

/** @throws Refusal for a name that leads out of plain data. */
function checkName(name: string, start: number): void {
  if (FORBIDDEN_NAMES.has(name)) throw new Refusal(`${name} is not possible`, start);
}

function holderOf(node: MemberExpression): Expression {
  if (node.object.type === 'Super') throw leftOut(node.object);
  return node.object;
}

function keyExpressionOf({ property }: MemberExpression): Expression {
  if (property.type === 'PrivateIdentifier') throw new Refusal('private names are not possible', property.start);
  return property;
}

/** The name that is read where it is known before anything is evaluated. */
function nameOf(node: MemberExpression): string | undefined {
  const key = bare(keyExpressionOf(node));
  let name: string | undefined;
  if (key.type === 'Identifier' && !node.computed) name = key.name;
  if (key.type === 'Literal' && typeof key.value === 'string') name = key.value;
  if (name !== undefined) checkName(name, key.start);
  return name;
}

function keyOf(property: Property): string {
  if (property.computed || property.method || property.kind !== 'init') {
    throw new Refusal('an object holds plain names and values only', property.start);
  }
  const { key } = property;
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
  checkName(name, key.start);
  return name;
}

function paramsOf(arrow: ArrowFunctionExpression): readonly string[] {
  if (arrow.params.length > 3) {
    throw new Refusal('an arrow function takes the item, its index and the list', arrow.start);
  }
  const names = arrow.params.map((param) => {
    if (param.type !== 'Identifier') throw new Refusal('a parameter is a plain name', param.start);
    checkName(param.name, param.start);
    if (param.name === 'undefined') throw new Refusal('undefined is no name for a parameter', param.start);
    return param.name;
  });
  return Object.freeze(names);
}
