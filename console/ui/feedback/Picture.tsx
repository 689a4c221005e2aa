import { color } from '../theme';

/** Each shape uses the theme's subtle fill, with lines on it and one part in the accent color. */
const pictures = {
  apps: ['M30 27v25h36V27L48 14Z', 'M42 52V39h12v13', 'M22 30 48 10l26 20'],
  cvms: ['M24 12h48v16H24ZM24 34h48v16H24Z', 'M44 20h20M44 42h20', 'M32 20h.1M32 42h.1'],
  events: ['M24 8h48v46H24Z', 'M44 19h20M44 31h14M44 43h18', 'M33 19h.1M33 31h.1M33 43h.1'],
  logs: ['M20 10h56v42H20Z', 'M20 20h56M44 42h16', 'm28 30 7 6-7 6'],
  tokens: ['M20 18h56v28H20Z', 'M62 32v7M54 32v5', 'M47 32h20M47 32a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z'],
  webhooks: ['M16 22h22v20H16ZM58 22h22v20H58Z', 'M22 29h10M64 29h10M64 35h6', 'M42 32h12m-5-5 5 5-5 5'],
  vault: [
    'M24 8h48v42H24Z',
    'M32 50v4M64 50v4M32 17v8M32 33v8',
    'M60 29a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM51 25v8M47 29h8',
  ],
  members: [
    'M46 54V46a11 11 0 0 1 22 0v8Z',
    'M66 22a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z',
    'M28 54v-6a8 8 0 0 1 12-7M42 28a6 6 0 1 1-12 0 6 6 0 0 1 12 0Z',
  ],
  notifications: ['M30 44c5-5 4-9 4-15a14 14 0 0 1 28 0c0 6-1 10 4 15Z', 'M48 10v5', 'M42 50a6 6 0 0 0 12 0'],
  search: [
    'M18 12h42v10H18ZM18 30h42v10H18Z',
    'M24 17h16M24 35h12',
    'M70 35a11 11 0 1 1-22 0 11 11 0 0 1 22 0ZM67 43l9 9',
  ],
  access: ['M30 28h36v26H30Z', 'M38 28v-8a10 10 0 0 1 20 0v8', 'M48 37v8'],
  agent: ['M28 22h40v30H28Z', 'M48 22v-8M22 33v8M74 33v8M42 45h12', 'M40 33v3M56 33v3'],
  ai: ['M48 8l7 17 17 7-17 7-7 17-7-17-17-7 17-7Z', 'M74 10v8M70 14h8', 'M24 44v8M20 48h8'],
  bin: ['M32 20h32l-3 34H35Z', 'M26 20h44M41 20v-7h14v7', 'M44 29v16M52 29v16'],
  domains: [
    'M70 32a22 22 0 1 1-44 0 22 22 0 0 1 44 0Z',
    'M48 10c-12 13-12 31 0 44M48 10c12 13 12 31 0 44M30 20h36M30 44h36',
    'M26 32h44',
  ],
  gpu: [
    'M18 16h60v26H18Z',
    'M26 42v8M36 42v8M46 42v8M47 29a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z',
    'M58 24v10M66 24v10',
  ],
  hosts: ['M30 8h36v46H30Z', 'M30 23h36M30 39h36M52 16h8M52 31h8M52 47h8', 'M38 16h.1M38 31h.1M38 47h.1'],
  images: ['M48 8 76 22 48 36 20 22Z', 'm20 32 28 14 28-14', 'm20 41 28 14 28-14'],
  invoices: ['M30 8h36v47l-6-4-6 4-6-4-6 4-6-4-6 4Z', 'M38 19h20M38 29h20', 'M49 40h9'],
  kms: [
    'M48 8 70 16v14c0 12-9 20-22 25-13-5-22-13-22-25V16Z',
    'M54 24a6 6 0 1 1-12 0 6 6 0 0 1 12 0Z',
    'M48 30v14M48 38h6',
  ],
  mail: ['M22 14h52v36H22Z', 'm22 18 26 18 26-18', 'M56 43h10'],
  money: ['M20 14h56v36H20Z', 'M20 25h56M28 41h14', 'M58 41h10'],
  revisions: ['M28 18h30v36H28Z', 'M38 18V9h30v36H58M36 42h14', 'M36 30h14'],
  usage: ['M20 8h56v46H20Z', 'M32 45V33M44 45V25', 'M56 45V29M66 45V19'],
};

export type PictureName = keyof typeof pictures;

/** An empty page's decorative illustration. Its colors follow the theme. */
export function Picture({ name }: { name: PictureName }) {
  const [shape, lines, accent] = pictures[name];
  return (
    <svg
      width="96"
      height="64"
      viewBox="0 0 96 64"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      <ellipse cx="48" cy="55" rx="42" ry="6" fill={color.accentSoft} />
      <path d={shape} fill={color.sunken} stroke={color.control} />
      <path d={lines} stroke={color.control} />
      <path d={accent} stroke={color.accent} strokeWidth="3" />
    </svg>
  );
}
