import MoonIcon from 'lucide-react/icons/moon';
import KeyboardIcon from 'lucide-react/icons/keyboard';
import { openKeyHelp } from './keyHelp';
import type { Command } from './CommandPalette';
import { useThemeEntries } from './Menus';

/** Palette commands for the theme choices and the list of shortcuts. */
export function useThemeCommands(): Command[] {
  const themes = useThemeEntries().flatMap((entry) =>
    'label' in entry
      ? [
          {
            id: entry.id,
            group: 'Actions',
            label: `Theme: ${entry.label.toLowerCase()}`,
            keywords: 'dark light color',
            icon: <MoonIcon />,
            ...(entry.onSelect ? { onSelect: entry.onSelect } : {}),
          },
        ]
      : [],
  );
  return [
    ...themes,
    {
      id: 'keys',
      group: 'Actions',
      label: 'Keyboard shortcuts',
      keywords: 'keys help single-key off accessibility',
      icon: <KeyboardIcon />,
      onSelect: openKeyHelp,
    },
  ];
}
