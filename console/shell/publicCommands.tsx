import BookOpenIcon from 'lucide-react/icons/book-open';
import GlobeIcon from 'lucide-react/icons/globe';
import { agentPath, PUBLIC_PATHS } from '../lib/public/site';
import { brandName, isPageHidden } from '../ui/brand/installation';
import type { Command } from '../ui/layout/CommandPalette';

const GROUP = 'Public pages';

/** The public pages that the operator doesn't hide, and the API reference. */
export function publicPages(agent_framework: string, isHidden = isPageHidden): Command[] {
  const pages: [path: string, label: string, keywords: string][] = [
    [PUBLIC_PATHS.about, `About ${brandName()}`, 'what why product'],
    [PUBLIC_PATHS.billing, 'How billing works', 'example per second'],
    [PUBLIC_PATHS.pricing, 'Pricing', 'prices cost calculator estimate'],
    [PUBLIC_PATHS.cases, 'Use cases', 'examples'],
    [PUBLIC_PATHS.templates, 'Template gallery', 'templates catalog examples'],
    [PUBLIC_PATHS.mcp, 'MCP hosting', 'servers tools assistants'],
    [PUBLIC_PATHS.gpu, 'GPU TEE overview', 'offers availability nvidia'],
    [PUBLIC_PATHS.explorer, 'Explorer', 'published apps trust'],
    [PUBLIC_PATHS.verify, 'Verify an app', 'attestation evidence report'],
    [agentPath(agent_framework), `Agents with ${agent_framework}`, 'character'],
  ];
  return [
    ...pages
      .filter(([path]) => !isHidden(path))
      .map(([path, label, keywords]) => ({
        id: `public-${path}`,
        group: GROUP,
        label,
        keywords: `public ${keywords}`,
        icon: <GlobeIcon />,
        // The server renders these pages, so they need a page load.
        onSelect: () => location.assign(path),
      })),
    {
      id: 'api-reference',
      group: GROUP,
      label: 'API reference',
      keywords: 'docs documentation openapi',
      icon: <BookOpenIcon />,
      href: '/docs',
    },
  ];
}
