import BookmarkIcon from 'lucide-react/icons/bookmark';
import { Button } from '../../console/ui/controls/Button';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import type { AdminView } from '../../generated/api/types.gen';
import { copyText } from '../../console/ui/controls/copyText';
import { MenuButton, type MenuEntry } from '../../console/ui/controls/MenuButton';
import { ConfirmDialog } from '../../console/ui/feedback/ConfirmDialog';
import { useToast } from '../../console/ui/feedback/toasts';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import type { ResourceDescription } from '../schema/types';
import { usePermissionRefusal } from '../session';
import { useViews, useViewWrites } from './views';
import type { NamedLook } from './listLook';
import { isView, queryOf, viewQuery } from './listQuery';
import { ViewDialog } from './ViewDialog';

/** Menu of saved views, with the current one checked. */
export function Views({ resource, look }: { resource: ResourceDescription; look: NamedLook }) {
  const refusal = usePermissionRefusal();
  const noRead = refusal('admin.views.read');
  const noWrite = refusal('admin.views.write');
  const { data = [] } = useViews(resource.name, noRead === undefined);
  const writes = useViewWrites(resource.name);
  const toast = useToast();
  const [editing, setEditing] = useState<AdminView | 'new'>();
  const [deleting, setDeleting] = useState<AdminView>();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const query = queryOf({ ...useListContext(), ...look });
  const current = data.find((view) => isView(view.query, query));
  const disabled = noWrite === undefined ? {} : { disabledReason: noWrite };
  const list = adminHref.list(resource.name);
  const link = (view: AdminView) => `${location.origin}${list}?view=${view.id}`;
  const copy = async (view: AdminView) => {
    const done = await copyText(link(view));
    toast(
      done
        ? { tone: 'ok', title: 'Link copied', message: link(view) }
        : {
            tone: 'error',
            title: 'Couldn’t copy the link',
            message: link(view),
          },
    );
  };
  const remove = async (view: AdminView) => {
    setPending(true);
    try {
      await writes.remove(view.id);
      setDeleting(undefined);
    } catch (error) {
      setFailure(error);
    }
    setPending(false);
  };
  const entries: MenuEntry[] = [
    ...(data.length > 0 ? [{ id: 'heading', heading: 'Saved views' }] : []),
    ...data.map((view) => ({
      id: String(view.id),
      label: view.name,
      role: 'menuitemradio' as const,
      checked: view === current,
      href: `${list}?${viewQuery(view.query)}`,
      ...(view.mine ? (view.shared ? { detail: 'Shared' } : {}) : { detail: `By ${view.owner}` }),
    })),
    ...(data.length > 0 ? [{ id: 'rule', rule: true as const }] : []),
    {
      id: 'save',
      label: 'Save view…',
      onSelect: () => setEditing('new'),
      ...disabled,
    },
    ...(current
      ? [
          {
            id: 'copy',
            label: `Copy link to ${current.name}`,
            onSelect: () => void copy(current),
          },
        ]
      : []),
    ...(current?.mine
      ? [
          {
            id: 'edit',
            label: `Edit ${current.name}…`,
            onSelect: () => setEditing(current),
            ...disabled,
          },
          {
            id: 'delete',
            label: `Delete ${current.name}…`,
            danger: true,
            onSelect: () => setDeleting(current),
            ...disabled,
          },
        ]
      : []),
  ];
  if (noRead !== undefined) return null;
  return (
    <>
      <MenuButton
        entries={entries}
        trigger={(trigger) => (
          <Button size="small" startIcon={<BookmarkIcon />} {...trigger}>
            {current ? current.name : 'Views'}
          </Button>
        )}
      />
      {editing !== undefined && (
        <ViewDialog
          view={editing === 'new' ? undefined : editing}
          own={data.filter(({ mine }) => mine)}
          query={query}
          writes={writes}
          onClose={() => setEditing(undefined)}
        />
      )}
      <ConfirmDialog
        open={deleting !== undefined}
        title={`Delete view ${deleting?.name ?? ''}?`}
        effects={['Links to it stop working. Its records aren’t affected.']}
        confirmLabel="Delete view"
        danger
        pending={pending}
        problem={failure === undefined ? null : problemOf(failure, 'Couldn’t delete the view')}
        onConfirm={() => deleting && void remove(deleting)}
        onClose={() => {
          setDeleting(undefined);
          setFailure(undefined);
        }}
      />
    </>
  );
}
