import { breakpoints, schemeAttribute, schemes, shellId, size, type ColorName } from './theme';

/*
 * The page before its code arrives: the frame of a signed-in or public page, drawn with HTML and CSS alone.
 * vite.config.ts writes it into both apps' pages; the frame rendered by the app then removes it.
 */

const USED: ColorName[] = ['canvas', 'surface', 'line', 'text', 'neutralSoft', 'accent', 'onAccent'];

const declare = (scheme: 'light' | 'dark') =>
  `color-scheme:${scheme};${USED.map((name) => `--shell-${name}:${schemes[scheme][name]}`).join(';')}`;

/** The attribute on <html> that selects the frame, `app` or `public`; set by the server. */
const frameAttribute = 'data-frame';

const isPublic = `[${frameAttribute}="public"]`;

/** Widths of the bars in percent; the content security policy forbids style attributes. */
const widths = (parent: string, ...percents: number[]) =>
  percents.map((percent, at) => `#${shellId} ${parent} i:nth-child(${at + 1}){width:${percent}%}`).join('\n');

/**
 * Text is in CSS, so that searching the page doesn't find it. Uses a system font, because loading one would delay
 * the code. Without its margin, the page doesn't move when the app's own style sheet arrives.
 */
export const shellStyle = `
:root{${declare('light')}}
[${schemeAttribute}="dark"]{${declare('dark')}}
body{margin:0}
#${shellId}{position:fixed;inset:0;z-index:1;display:grid;grid-template:${size.topbar} 1fr/${size.nav} minmax(0,1fr);background:var(--shell-surface);font:600 16px/24px system-ui,sans-serif;letter-spacing:-.02em;color:var(--shell-text)}
#${shellId} i{display:block;height:12px;border-radius:4px;background:var(--shell-neutralSoft)}
#${shellId} .nav{grid-row:1/3;background:var(--shell-canvas);border-right:1px solid var(--shell-line)}
#${shellId} .brand{display:flex;align-items:center;gap:8px;height:${size.topbar};padding:0 16px}
#${shellId} .brand::after{content:attr(data-brand)}
#${shellId} .links{display:grid;gap:20px;padding:20px 16px}
#${shellId} .top{border-bottom:1px solid var(--shell-line)}
#${shellId} .main{max-width:1480px;padding:24px}
#${shellId} .main i{margin-bottom:28px}
${widths('.links', 62, 44, 52, 38)}
${widths('.main', 18, 46, 92, 84, 88, 76)}
#${shellId} .main i:first-child{height:20px}
@media(max-width:${breakpoints.phone - 0.02}px){
#${shellId}{grid-template-columns:minmax(0,1fr)}
#${shellId} .nav{display:none}
#${shellId} .main{padding:16px}}
${isPublic} #${shellId}{display:block;background:var(--shell-canvas)}
${isPublic} #${shellId} :is(.links,.top,.main){display:none}
${isPublic} #${shellId} .nav{display:block;border:0}
${isPublic} #${shellId} .brand{height:64px;padding:0 32px}
@media(max-width:${breakpoints.phone - 0.02}px){${isPublic} #${shellId} .brand{padding:0 16px}}
`.trim();

const mark =
  '<svg width="24" height="24" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="var(--shell-accent)"/><path d="M4.6 15.2 16 6.4l11.4 8.8" fill="none" stroke="var(--shell-onAccent)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/><path fill="var(--shell-onAccent)" d="M16 14.2a3.7 3.7 0 0 1 1.9 6.87l1.15 4.43a.9.9 0 0 1-.87 1.1h-4.36a.9.9 0 0 1-.87-1.1l1.15-4.43A3.7 3.7 0 0 1 16 14.2Z"/></svg>';

export const shellBody = `<div class="nav"><div class="brand" data-brand="__BRAND__">${mark}</div><div class="links">${'<i></i>'.repeat(4)}</div></div><div class="top"></div><div class="main">${'<i></i>'.repeat(6)}</div>`;
