// Takes calls of esbuild's `__name` out of a bundle where a function has that name already: each runs whenever its function is made,
// and most are made for each request.
import { parse } from 'acorn';

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression'];

/** The name that JavaScript gives to a function that stands in `parent`. */
function nameBy(parent) {
  if (parent.type === 'VariableDeclarator') return parent.id.name;
  if (parent.type === 'AssignmentExpression' || parent.type === 'AssignmentPattern') return parent.left.name;
  const isMember = parent.type === 'Property' || parent.type === 'PropertyDefinition';
  return isMember && !parent.computed ? parent.key.name : undefined;
}

/** What is too much of a call of `__name`, as pairs of places; nothing where the call is needed. */
function partsOf(call, parent) {
  const [named, name] = call.arguments;
  if (FUNCTIONS.includes(named.type) && (named.id?.name ?? nameBy(parent)) === name.value) {
    return [
      [call.start, named.start],
      [named.end, call.end],
    ];
  }
  // behind a declaration
  return named.type === 'Identifier' && named.name === name.value ? [[call.start, call.end]] : [];
}

function* calls(node, parent) {
  if (node.type === 'CallExpression' && node.callee.name === '__name') yield* partsOf(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') yield* calls(child, node);
    }
  }
}

/** `code`, a module, without what is too much; each line stays where it is. */
export function withoutNaming(code) {
  const parts = [...calls(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))].sort(([a], [b]) => a - b);
  let [result, place] = ['', 0];
  for (const [start, end] of parts) {
    result += code.slice(place, start);
    place = end;
  }
  return result + code.slice(place);
}
