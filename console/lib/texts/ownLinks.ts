/** Part of a text; with `href`, an address on this server. */
export interface TextPart {
  text: string;
  href?: string;
}

/**
 * Splits a text at the addresses of this server. Other addresses aren't links, because the text may contain words of
 * strangers.
 */
export function ownLinks(text: string, publicUrl: string): TextPart[] {
  const base = `${publicUrl.replace(/\/+$/, '')}/`;
  return text.split(/(\s+)/).reduce<TextPart[]>((parts, word) => {
    const start = word.indexOf(base);
    if (start === -1) return joined(parts, word);
    // The sentence's punctuation isn't part of the address.
    const end = word.length - (/[.,;:!?)\]}>"'”’]+$/.exec(word)?.[0].length ?? 0);
    const href = word.slice(start, Math.max(end, start + base.length));
    joined(parts, word.slice(0, start)).push({ text: href, href });
    return joined(parts, word.slice(start + href.length));
  }, []);
}

function joined(parts: TextPart[], text: string): TextPart[] {
  const last = parts.at(-1);
  if (text === '') return parts;
  if (last && last.href === undefined) last.text += text;
  else parts.push({ text });
  return parts;
}
