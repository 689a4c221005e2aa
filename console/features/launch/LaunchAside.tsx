import { AsidePanel } from '../../ui/layout/AsidePanel';

export function LaunchAside() {
  return (
    <AsidePanel
      sections={[
        { title: 'Before you launch', content: 'Whatever the way, secrets are encrypted in this browser.' },
      ]}
    />
  );
}
