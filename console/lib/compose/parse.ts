// Parses untrusted YAML: the package's parseDocument with a limit on nesting.

import {
  Composer,
  type Document,
  Lexer,
  type LineCounter,
  Parser,
  type ParsedNode,
  YAMLParseError,
} from 'yaml';

/** Open blocks and brackets; hand-written files have fewer than 20. */
const MAX_DEPTH = 200;

/** The text nests deeper than MAX_DEPTH. */
export class TooDeep extends Error {
  constructor() {
    super(`The file is nested more than ${MAX_DEPTH} levels deep.`);
  }
}

/**
 * Composing recurses with the text's nesting. A stack overflow isn't always an exception: if V8 compiles a regular
 * expression near the stack's end, the whole process exits, whatever the thread.
 *
 * Doesn't report duplicate keys, because the package's search for them is quadratic.
 *
 * @throws {TooDeep}
 */
export function parseYaml(
  text: string,
  { lineCounter, merge = false }: { lineCounter: LineCounter; merge?: boolean },
): Document.Parsed<ParsedNode> {
  const composer = new Composer({ lineCounter, merge, prettyErrors: false, uniqueKeys: false });
  let document: Document.Parsed<ParsedNode> | undefined;
  for (const next of composer.compose(tokens(text, lineCounter), true, text.length)) {
    if (!document) document = next;
    else {
      const [from, to] = next.range;
      document.errors.push(
        new YAMLParseError([from, to], 'MULTIPLE_DOCS', 'The file has multiple documents'),
      );
      break;
    }
  }
  if (!document) throw new Error('the composer returned no document'); // it always does
  return document;
}

function* tokens(text: string, lineCounter: LineCounter) {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) throw new TooDeep();
  }
  yield* parser.end();
}
