import { escapeHtml } from '../../core/escapeHtml';
import { oneLine, subjectLine } from './plain';
import type { Content, RenderedMail, Site } from './types';

/**
 * The layout of every email. Tables and inline styles because Outlook supports nothing else; light by default,
 * dark by media query where supported, with colors that survive clients that only invert. No images and
 * nothing remote, so opening an email isn't tracked.
 */
const FONT = `font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const MONO = `font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace`;

// The console's design tokens that email needs.
const LIGHT = {
  canvas: '#f6f4f0',
  surface: '#ffffff',
  line: '#e4e0d9',
  text: '#1d1b18',
  muted: '#57534c',
  accent: '#1f6650',
  onAccent: '#ffffff',
  link: '#1a5d48',
};
const DARK: typeof LIGHT = {
  canvas: '#121110',
  surface: '#191817',
  line: '#302d2a',
  text: '#edeae5',
  muted: '#b0aaa1',
  accent: '#62b394',
  onAccent: '#07130e',
  link: '#7dc8aa',
};

const dark = (prefix: string) => `
${prefix}.canvas{background-color:${DARK.canvas}!important}
${prefix}.surface{background-color:${DARK.surface}!important;border-color:${DARK.line}!important}
${prefix}.line{border-color:${DARK.line}!important}
${prefix}.text{color:${DARK.text}!important}
${prefix}.muted{color:${DARK.muted}!important}
${prefix}.link{color:${DARK.link}!important}
${prefix}.button{background-color:${DARK.accent}!important}
${prefix}.on{color:${DARK.onAccent}!important}`;

// Outlook on the web and on phones marks what it darkens with data-ogsc and data-ogsb instead of the media
// query.
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${dark('')}
}${dark('[data-ogsc] ')}${dark('[data-ogsb] ')}
@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}.label,.value{display:block!important;width:auto!important}.label{padding-bottom:0!important}.value{padding-top:0!important;padding-bottom:10px!important}}`;

export function layOut(content: Content, site: Site): RenderedMail {
  const { unsubscribe_url } = content;
  return {
    subject: subjectLine(content.subject),
    text: asText(content, site),
    html: asHtml(content, site),
    ...(unsubscribe_url === undefined ? {} : { unsubscribe_url }),
  };
}

const SENT_BY = 'Sent automatically; replies are not read.';

function asText(content: Content, site: Site): string {
  const { heading, body, facts = [], lines = [], action, after = [], because } = content;
  const width = Math.max(0, ...facts.map(([label]) => label.length + 1));
  return [
    heading,
    ...body.map(wrapped),
    facts.map(([label, value]) => `${`${label}:`.padEnd(width)} ${value}`).join('\n'),
    lines.join('\n'),
    action ? `${action.label}:\n${action.url}` : '',
    ...after.map(wrapped),
    `--\n${oneLine(site.brand)}, ${site.url}\n${wrapped(`${because} ${SENT_BY}`)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** RFC 5322 §2.1.1 recommends lines of at most 78 characters; a URL is never broken. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= 76) lines.splice(-1, 1, `${line} ${word}`);
    else lines.push(word);
  }
  return lines.join('\n');
}

function asHtml(content: Content, site: Site): string {
  const { subject, heading, body, facts = [], lines = [], action, after = [], because } = content;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subjectLine(subject))}</title>
<style>${STYLE}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background-color:${LIGHT.canvas}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(body[0] ?? '')}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="canvas" bgcolor="${LIGHT.canvas}" style="background-color:${LIGHT.canvas}">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="link pad" style="padding:0 32px 16px;${FONT};font-size:15px;line-height:20px;font-weight:700;letter-spacing:.01em;color:${LIGHT.link}">${escapeHtml(site.brand)}</td></tr>
<tr><td class="surface pad" bgcolor="${LIGHT.surface}" style="padding:32px 32px 20px;background-color:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:8px">
<h1 class="text" style="margin:0 0 16px;${FONT};font-size:22px;line-height:28px;font-weight:650;color:${LIGHT.text}">${escapeHtml(heading)}</h1>
${body.map((text) => paragraph(text, 'text', 16, site)).join('\n')}
${factTable(facts)}${lines.length > 0 ? lineBlock(lines) : ''}${action ? button(action) : ''}${after.map((text) => paragraph(text, 'muted', 12, site)).join('\n')}
</td></tr>
<tr><td class="pad" style="padding:20px 32px 0">
${small(`${because} ${SENT_BY}`)}
<p style="margin:0;${FONT};font-size:13px;line-height:19px"><a class="link" href="${escapeHtml(site.url)}" style="color:${LIGHT.link}">${escapeHtml(new URL(site.url).host)}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function paragraph(text: string, tone: 'text' | 'muted', below: number, site: Site): string {
  const size = tone === 'text' ? 'font-size:16px;line-height:24px' : 'font-size:14px;line-height:21px';
  return `<p class="${tone}" style="margin:0 0 ${below}px;${FONT};${size};color:${LIGHT[tone]};overflow-wrap:anywhere">${linked(text, site)}</p>`;
}

/** Links this server's URLs within a sentence. Names can't contain one: `named` breaks them up. */
function linked(text: string, site: Site): string {
  const start = escapeHtml(site.url);
  const [before = '', ...parts] = escapeHtml(text).split(`${start}/`);
  return parts.reduce((done, part) => {
    const path = /^[\w/-]*(?:\?[\w=-]+)?/.exec(part)?.[0] ?? '';
    const href = `${start}/${path}`;
    return `${done}<a class="link" href="${href}" style="color:${LIGHT.link}">${href}</a>${part.slice(path.length)}`;
  }, before);
}

const small = (text: string) =>
  `<p class="muted" style="margin:0 0 8px;${FONT};font-size:13px;line-height:19px;color:${LIGHT.muted};overflow-wrap:anywhere">${escapeHtml(text)}</p>`;

function factTable(facts: [string, string][]): string {
  if (facts.length === 0) return '';
  const cell = 'font-size:14px;line-height:20px;vertical-align:top';
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td class="muted label" style="width:110px;padding:6px 12px 6px 0;${FONT};${cell};color:${LIGHT.muted}">${escapeHtml(label)}</td>` +
      `<td class="text value" style="padding:6px 0;${FONT};${cell};color:${LIGHT.text};overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="line" style="margin:4px 0 20px;border-top:1px solid ${LIGHT.line};border-bottom:1px solid ${LIGHT.line}">${rows.join('')}</table>
`;
}

const lineBlock = (lines: string[]) =>
  `<p class="text" style="margin:0 0 20px;${MONO};font-size:13px;line-height:19px;color:${LIGHT.text};white-space:pre-wrap;overflow-wrap:anywhere">${lines.map(escapeHtml).join('<br>')}</p>
`;

/** Repeats the URL in full below: for clients that show no buttons, and for users who check before clicking. */
function button({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td class="button" bgcolor="${LIGHT.accent}" style="background-color:${LIGHT.accent};border-radius:6px"><a class="on" href="${href}" style="display:inline-block;padding:12px 20px;${FONT};font-size:16px;line-height:20px;font-weight:600;color:${LIGHT.onAccent};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="muted" style="margin:0 0 4px;${FONT};font-size:14px;line-height:21px;color:${LIGHT.muted}">Or open this address:</p>
<p style="margin:0 0 20px;${MONO};font-size:13px;line-height:19px;overflow-wrap:anywhere;word-break:break-all"><a class="link" href="${href}" style="color:${LIGHT.link}">${href}</a></p>
`;
}
