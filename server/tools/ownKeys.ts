import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from './run';

/**
 * `npm run check` (own keys): finds `record[key]` and `key in record` where `key` is any string. Outside text may be
 * `constructor` or `__proto__`, which every object inherits. A Map, Object.hasOwn or ownValue
 * (console/lib/ownValue.ts) finds own keys only. Literal and numeric keys are fine.
 */

const CHECKED = /^(server|console|admin|integrations)\//;
// The local teepod has its own helper (server/teepod/compose/service.ts).
const UNCHECKED =
  /^console\/lib\/ownValue\.ts$|^server\/teepod\/|\.(test|bench|stories)\.tsx?$|\/testing\/|^console\/e2e\/|^server\/(bench|tools)\/|\.gen\.ts$/;

/** Returns each finding in a TypeScript project's files as `file:line:column text`. */
export function findForeignKeys(program: ts.Program, root: string): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];

  const isAnyString = (node: ts.Expression): boolean => {
    const type = checker.getTypeAtLocation(node);
    const constraint = checker.getBaseConstraintOfType(type) ?? type;
    const parts = constraint.isUnion() ? constraint.types : [constraint];
    return parts.some((part) => (part.flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0);
  };
  const isForeign = (node: ts.Node): boolean => {
    if (ts.isElementAccessExpression(node)) return isAnyString(node.argumentExpression) && !isWritten(node);
    return (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
      !ts.isPrivateIdentifier(node.left) &&
      isAnyString(node.left)
    );
  };

  for (const file of program.getSourceFiles()) {
    const name = relative(root, file.fileName);
    if (!CHECKED.test(name) || UNCHECKED.test(name)) continue;
    const visit = (node: ts.Node): void => {
      if (isForeign(node)) {
        const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${name}:${line + 1}:${character + 1} ${node.getText().replace(/\s+/g, ' ')}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

/** `record[key] = value` and `delete record[key]` read nothing inherited. */
function isWritten(node: ts.ElementAccessExpression): boolean {
  const { parent } = node;
  return (
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
    ts.isDeleteExpression(parent)
  );
}

export function projectProgram(): ts.Program {
  const config = ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const checked = fileNames.filter((file) => {
    const name = relative(ROOT, file);
    return CHECKED.test(name) && !UNCHECKED.test(name);
  });
  return ts.createProgram(checked, options);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findForeignKeys(projectProgram(), ROOT);
  for (const one of found) console.log(one);
  if (found.length > 0)
    console.log(
      `${found.length} lookups by arbitrary strings: use ownValue(record, key), Object.hasOwn or a Map.`,
    );
  process.exitCode = found.length > 0 ? 1 : 0;
}
