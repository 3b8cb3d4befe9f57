#include "base/system/crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/system/thread.h"

struct task {
    struct task *next;
    void (*run)(void *arg);
    void *arg;
};

struct crew {
    pthread_t *threads;
    size_t n_threads;
    pthread_mutex_t lock; /* guards all members below */
    pthread_cond_t wake;
    struct task *first, **end;
    bool closing;
};

static void *work_in_crew(void *arg)
{
    struct crew *crew = arg;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        struct task *task = crew->first;

        if (!task && crew->closing)
            break;
        if (!task) {
            pthread_cond_wait(&crew->wake, &crew->lock);
            continue;
        }
        crew->first = task->next;
        if (!crew->first)
            crew->end = &crew->first;
        pthread_mutex_unlock(&crew->lock);
        task->run(task->arg);
        free(task);
        pthread_mutex_lock(&crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

struct crew *crew_new(const char *name, size_t n_threads, struct err *err)
{
    struct crew *crew = calloc(1, sizeof *crew);

    if (crew)
        crew->threads = calloc(n_threads, sizeof *crew->threads);
    if (!crew || !crew->threads) {
        err_sys(err, "threads");
        free(crew);
        return NULL;
    }
    crew->end = &crew->first;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    while (crew->n_threads < n_threads) {
        if (thread_start(&crew->threads[crew->n_threads], name, work_in_crew, crew, err) < 0) {
            crew_free(crew);
            return NULL;
        }
        crew->n_threads++;
    }
    return crew;
}

int crew_add(struct crew *crew, void (*run)(void *arg), void *arg)
{
    struct task *task = calloc(1, sizeof *task);

    if (!task)
        return -1;
    task->run = run;
    task->arg = arg;
    pthread_mutex_lock(&crew->lock);
    *crew->end = task;
    crew->end = &task->next;
    pthread_cond_signal(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
    return 0;
}

void crew_free(struct crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->n_threads; i++)
        pthread_join(crew->threads[i], NULL);
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->wake);
    free(crew->threads);
    free(crew);
}
