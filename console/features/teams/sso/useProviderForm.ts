import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { testSso } from '../../../../generated/api/sdk.gen';
import type { SsoSettings } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { useSave, useSsoForm } from './useSave';

/** What is entered about the provider, saving it, and checking its address. */
export function useProviderForm(slug: string, settings: SsoSettings) {
  const { connection } = settings;
  const form = useSsoForm(slug, settings);
  const { issuer, client_id, domain } = form.values;
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const toast = useToast();
  const save = useSave(slug, form.send, () => {
    form.reset();
    setSecret('');
    toast({ tone: 'ok', title: 'Provider saved' });
  });
  const check = useMutation({
    mutationFn: async () =>
      (
        await testSso({
          ...inTeam(slug),
          path: { slug },
          body: { issuer: issuer.trim() },
          throwOnError: true,
        })
      ).data,
  });
  /** Whether saving ends the proof of the domain. */
  const proofEnds =
    connection?.domain_verified_at != null &&
    (connection.domain !== domain.trim().toLowerCase() || connection.issuer !== issuer.trim());
  return {
    form,
    secret,
    setSecret,
    save,
    check,
    proofEnds,
    problem: problemOf(save.error, 'Couldn’t save the provider'),
    /** Returns the text for a required field that was left empty. */
    missing: (value: string, what: string) => (tried && value.trim() === '' ? what : undefined),
    submit() {
      setTried(true);
      if ([issuer, client_id, domain].some((value) => value.trim() === '')) return;
      save.mutate({
        ...form.values,
        issuer: issuer.trim(),
        client_id: client_id.trim(),
        domain: domain.trim(),
        // Losing the domain proof also lifts the requirement; it can be required again after the next verification.
        enforced: form.values.enforced && !proofEnds,
        ...(secret === '' ? {} : { client_secret: secret }),
      });
    },
  };
}

export type ProviderEditing = ReturnType<typeof useProviderForm>;
