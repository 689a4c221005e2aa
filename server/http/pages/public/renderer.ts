import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageView, RenderedPage, RenderPage } from '../../../../console/lib/public/site';
import { ROOT } from '../../../root';

/** Renders public pages and lists the files that a page loads. */
export interface PublicRenderer {
  render: (view: PageView) => RenderedPage | Promise<RenderedPage>;
  /** URL of the style sheet; null in development, where the script includes the styles. */
  style: string | null;
  /** URL of the font file, loaded along with the style sheet; null in development. */
  font: string | null;
  /** URL of the script for interactive pages. */
  script: string;
}

const FOLDER = join(ROOT, 'dist/public');

/** Loads the build's renderer. @throws if the build isn't complete */
export async function builtPublicPages(folder = FOLDER): Promise<PublicRenderer> {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[]; assets?: string[] }
  >;
  const files = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets,
  ]);
  const address = (end: string) => {
    const file = files.find((one) => one.endsWith(end));
    if (file === undefined) throw new Error(`${folder}: the build has no ${end} file`);
    return `/public/${file}`;
  };
  const script = manifest['public/client.ts']?.file;
  if (script === undefined) throw new Error(`${folder}: the build has no script`);
  const { renderPage } = (await import(pathToFileURL(join(folder, 'server/render.js')).href)) as {
    renderPage: RenderPage;
  };
  return { render: renderPage, style: address('.css'), font: address('.woff2'), script: `/public/${script}` };
}

export const hasPublicBuild = () => existsSync(join(FOLDER, 'server/render.js'));
