import { selectJobPage } from '../../../coordinator/jobs/listing/queries/jobs.ts';
import { listJobsQuery } from '../../../coordinator/contract/job.ts';
import { serveBoth } from './server-process.ts';

/** The floor: a bare node:http handler that runs the same SQL and writes its rows; the customer is in the query. */
await serveBoth(({ sql }) => {
  return (request, response) => {
    const parameters = new URL(request.url ?? '', 'http://localhost').searchParams;
    const query = listJobsQuery.parse({ page: parameters.get('page') ?? '1' });
    void selectJobPage(sql, query, { customerId: parameters.get('customer'), cursor: null }).then((page) => {
      const content = Buffer.from(JSON.stringify(page));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': content.length });
      response.end(content);
    });
  };
});
