// peer: what one would write in an afternoon: Express takes the upload, qpdf is spawned for it, the
// result is the answer. No queue, no keys, no durability, no sandbox. Prints its port.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { unlink } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import multer from 'multer';

const folder = process.argv[2];
const upload = multer({ dest: folder });
const app = express();

app.post('/api/v1/tools/pdf/rotate', upload.single('file'), (req, res) => {
  const result = join(folder, `${randomUUID()}.pdf`);
  const clean = () => {
    unlink(req.file.path, () => {});
    unlink(result, () => {});
  };

  execFile('qpdf', [`--rotate=${req.body.degrees}`, req.file.path, result], (error) => {
    if (error) {
      clean();
      res.status(422).json({ error: 'corrupt_file' });
      return;
    }
    res.sendFile(result, clean);
  });
});

const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
