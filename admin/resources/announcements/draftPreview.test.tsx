import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DraftPreview } from './DraftPreview';

function Form() {
  const form = useForm({ defaultValues: { audience: 'everybody', title: 'Hosts restart' } });
  return (
    <FormProvider {...form}>
      <DraftPreview />
    </FormProvider>
  );
}

it('says if the audience can’t be counted, instead of counting forever', () => {
  const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  const reach = () =>
    /role="status"[^>]*>([^<]*)/.exec(
      renderToStaticMarkup(
        <QueryClientProvider client={client}>
          <Form />
        </QueryClientProvider>,
      ),
    )?.[1];
  expect(reach()).toBe('Counting users…');
  client
    .getQueryCache()
    .find({ queryKey: ['announcement-reach', '{"audience":"everybody"}'] })
    ?.setState({ status: 'error', error: new Error('Couldn’t reach the server.') });
  expect(reach()).toBe('Couldn’t count the users it reaches.');
});
