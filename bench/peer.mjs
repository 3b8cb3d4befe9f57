// peer: what one would write in an afternoon with Express, multer and a qpdf process for each file:
// no keys, no quota, no sandbox, and what was accepted is lost with the process. Prints its port.
//
//     node peer.mjs FOLDER [jobs]
//
// The upload is answered with the result itself; with `jobs` by a job's id, and state and result
// are asked for as in platen's API, and two qpdf run at a time.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { unlink } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import multer from 'multer';

const [folder, mode] = process.argv.slice(2);
const upload = multer({ dest: folder }).single('file');
const app = express();
const ignore = () => {};

function rotate(req, id, done) {
  const result = join(folder, `${id}.pdf`);

  execFile('qpdf', [`--rotate=${req.body.degrees}`, req.file.path, result], (error) => {
    unlink(req.file.path, ignore);
    done(error, result);
  });
}

const jobs = new Map();
const queue = [];
let running = 0;

function next() {
  while (running < 2 && queue.length) {
    const job = queue.shift();

    running++;
    rotate(job.req, job.id, (error, result) => {
      Object.assign(job, { req: null, result, status: error ? 'failed' : 'completed' });
      job.waiting.forEach((tell) => tell());
      running--;
      next();
    });
  }
}

function submit(req, res) {
  const job = { id: randomUUID(), req, status: 'pending', waiting: [] };

  jobs.set(job.id, job);
  queue.push(job);
  next();
  res.status(202).json({ jobId: job.id, status: job.status });
}

function show(req, res) {
  const job = jobs.get(req.params.id);
  const downloadUrl = `http://${req.headers.host}/api/v1/files/${job.id}`;
  const tell = () => res.json({ jobId: job.id, status: job.status, downloadUrl });

  if (job.status === 'pending') job.waiting.push(tell);
  else tell();
}

function answer(req, res) {
  rotate(req, randomUUID(), (error, result) => {
    if (error) res.status(422).json({ error: 'corrupt_file' });
    else res.sendFile(result, () => unlink(result, ignore));
  });
}

app.post('/api/v1/tools/pdf/rotate', upload, mode === 'jobs' ? submit : answer);
app.get('/api/v1/jobs/:id', show);
app.get('/api/v1/files/:id', (req, res) => res.sendFile(jobs.get(req.params.id).result));

const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
