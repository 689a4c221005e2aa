import { Tabs } from '../../ui/layout/Tabs';
import { aiHref, modelsHref } from '../../lib/ai/addresses';
import type { AiTab } from './search';

interface Props {
  /** The team in the address, if any. */
  team: string | undefined;
  current: AiTab | 'connect' | 'models';
}

/** The AI pages; the models page has its own address. */
export function AiTabs({ team, current }: Props) {
  const tabs = [
    { id: 'connect', label: 'Connect', href: aiHref({ team }) },
    { id: 'playground', label: 'Playground', href: aiHref({ team, tab: 'playground' }) },
    { id: 'models', label: 'Models', href: modelsHref({ team }) },
    { id: 'usage', label: 'Usage', href: aiHref({ team, tab: 'usage' }) },
  ];
  return (
    <Tabs
      label="Confidential AI"
      tabs={tabs.map(({ id, label, href }) => ({ label, href, current: id === current }))}
    />
  );
}
