/*
 * The asynchronous client over shared memory: AsyncClient, whose call() gives a promise.
 *
 * The JS thread never waits. It puts a request into the ring itself where there is room and nothing
 * queued before it, else it queues a copy. A second thread owns the receiving side: it waits for
 * answers, puts queued requests as room appears, watches deadlines and the server's life, and hands
 * what is finished back through a thread-safe function.
 *
 * Invariants: the mutex guards the lists and the sending side of the ring; `sent` holds calls in
 * the order in which they went out, which is the order of the answers; a call whose deadline passed
 * stays there, rejected, until its answer has come and been dropped. The thread sleeps without
 * looking at the server only when it said so (`idle`), and then whoever brings a call rings the
 * bell.
 */
#include "native/addon.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "native/clock.h"

/* How long the thread still watches the server after the last answer. */
#define ASYNC_LINGER_NS UINT64_C(1000000000)

/* How long an answer that has begun may take to go on. */
#define ASYNC_STALL_NS UINT64_C(1000000000)

typedef struct async_call {
  struct async_call *next;
  spc__frame frame;
  uint8_t header[SPC_FRAME_BYTES];
  spc__shm_message message; /* what is still to be put */
  uint8_t *request;         /* the copy that it points to, or NULL */
  uint8_t *answer;
  uint64_t deadline;
  napi_deferred deferred;
  bool settled; /* rejected; the answer is to be dropped */
  spc_error error;
} async_call;

typedef struct async_list {
  async_call *first;
  async_call **end;
} async_list;

typedef struct async_client {
  /* Of the JS thread. */
  napi_env env;
  napi_ref self; /* strong while a promise is pending */
  napi_threadsafe_function deliver;
  uint32_t pending;
  bool open;
  pthread_t thread;
  /* Of both, under the mutex. */
  pthread_mutex_t mutex;
  async_list queued;
  async_list sent;
  async_list finished;
  uint32_t last_id;
  bool idle;
  bool over; /* the thread has ended or is about to; `end` says why */
  spc_error end;
  /* Of the thread; its sending side under the mutex. */
  spc_client *client;
  _Atomic uint32_t order;
} async_client;

static void async_list_clear(async_list *list) {
  list->first = NULL;
  list->end = &list->first;
}

static void async_append(async_list *list, async_call *call) {
  call->next = NULL;
  *list->end = call;
  list->end = &call->next;
}

static async_call *async_take(async_list *list) {
  async_call *call = list->first;
  if (call == NULL) return NULL;
  list->first = call->next;
  if (list->first == NULL) list->end = &list->first;
  return call;
}

static void async_free(async_call *call) {
  free(call->request);
  free(call->answer);
  free(call);
}

/* Hands a call back to the JS thread. The mutex is held. */
static void async_finish(async_client *self, async_call *call) {
  bool first = self->finished.first == NULL;
  async_append(&self->finished, call);
  if (first) napi_call_threadsafe_function(self->deliver, NULL, napi_tsfn_nonblocking);
}

/* Puts queued requests as far as there is room. The mutex is held. */
static spc_status async_put_queued(async_client *self, spc_error *error) {
  while (self->queued.first != NULL) {
    async_call *call = self->queued.first;
    spc_status status = spc__shm_put(&self->client->link.shm, &call->message, error);
    if (status != SPC_OK) return status;
    if (!spc__shm_message_done(&call->message)) return SPC_OK;
    async_take(&self->queued);
    free(call->request);
    call->request = NULL;
    async_append(&self->sent, call);
  }
  return SPC_OK;
}

/* The earliest deadline of a list. The mutex is held. */
static uint64_t async_earliest(const async_list *list, uint64_t deadline) {
  for (const async_call *call = list->first; call != NULL; call = call->next)
    if (!call->settled && call->deadline < deadline) deadline = call->deadline;
  return deadline;
}

/*
 * Rejects the calls of a list whose deadline has passed. A copy goes to the JS thread; the call
 * stays where it is, since its answer, or the rest of its request, is still to come.
 */
static void async_reject_late(async_client *self, async_list *list, uint64_t now) {
  for (async_call *call = list->first; call != NULL; call = call->next) {
    if (call->settled || call->deadline > now) continue;
    async_call *rejected = (async_call *)calloc(1, sizeof *rejected);
    if (rejected == NULL) return; /* at the next look */
    rejected->deferred = call->deferred;
    spc__fault(&rejected->error, SPC_DEADLINE, NULL);
    call->settled = true;
    async_finish(self, rejected);
  }
}

static bool async_place(void *user, size_t length, uint8_t **out) {
  async_call *call = (async_call *)user;
  call->frame.length = length;
  if (call->settled) return false;
  call->answer = (uint8_t *)malloc(length + 1);
  *out = call->answer;
  return call->answer != NULL;
}

/* Receives the answer of the first call that was sent. */
static spc_status async_receive(async_client *self, spc_error *error) {
  pthread_mutex_lock(&self->mutex);
  async_call *call = async_take(&self->sent);
  pthread_mutex_unlock(&self->mutex);
  if (call == NULL) return spc__fault(error, SPC_BAD_FRAME, "an answer to no call");
  /* An answer that has begun may be late; one that stops coming is the end. */
  uint64_t deadline = spc__deadline(ASYNC_STALL_NS);
  if (deadline < call->deadline) deadline = call->deadline;
  spc__fault(&call->error, SPC_OK, NULL);
  spc__client_receive(self->client, async_place, call, deadline, &call->error);
  spc_status status = self->client->broken ? call->error.status : SPC_OK;
  if (status != SPC_OK) *error = call->error;
  pthread_mutex_lock(&self->mutex);
  if (call->settled)
    async_free(call);
  else
    async_finish(self, call);
  pthread_mutex_unlock(&self->mutex);
  return status;
}

/* One turn of the thread: puts, looks at deadlines, and then receives or waits. */
static spc_status async_turn(async_client *self, uint64_t *watch_until, spc_error *error) {
  spc__shm *shm = &self->client->link.shm;
  uint64_t now = spc__now();
  uint32_t wanted = SPC_SHM_DATA;
  pthread_mutex_lock(&self->mutex);
  spc_status status = async_put_queued(self, error);
  async_reject_late(self, &self->sent, now);
  async_reject_late(self, &self->queued, now);
  uint64_t deadline = async_earliest(&self->queued, async_earliest(&self->sent, SPC_FOREVER));
  if (self->queued.first != NULL) wanted |= SPC_SHM_SPACE;
  if (self->queued.first != NULL || self->sent.first != NULL) *watch_until = now + ASYNC_LINGER_NS;
  self->idle = now >= *watch_until;
  shm->control = self->idle ? -1 : self->client->link.stream.fd;
  pthread_mutex_unlock(&self->mutex);
  if (status != SPC_OK) return status;
  if (atomic_load(&self->order) != 0) return spc__fault(error, SPC_DISCONNECTED, "closed");
  if (spc__link_ready(&self->client->link)) return async_receive(self, error);
  status = spc__shm_wait(shm, wanted, deadline, error);
  return status == SPC_DEADLINE ? SPC_OK : status;
}

static void async_reject_all(async_client *self, async_list *list) {
  for (async_call *call; (call = async_take(list)) != NULL;) {
    if (call->settled) {
      async_free(call);
    } else {
      call->error = self->end;
      async_finish(self, call);
    }
  }
}

static void *async_run(void *user) {
  async_client *self = (async_client *)user;
  uint64_t watch_until = 0;
  spc_error error;
  while (async_turn(self, &watch_until, &error) == SPC_OK)
    continue;
  pthread_mutex_lock(&self->mutex);
  self->over = true;
  self->end = error;
  async_reject_all(self, &self->sent);
  async_reject_all(self, &self->queued);
  pthread_mutex_unlock(&self->mutex);
  return NULL;
}

/* Tells the thread to end. */
static void async_order_end(async_client *self) {
  atomic_store(&self->order, SPC_ORDER_ABORT);
  spc__shm_ring_bell(&self->client->link.shm);
}

/* Ends the thread and closes the connection; promises that are pending are in `finished` then. */
static void async_stop(async_client *self) {
  if (!self->open) return;
  self->open = false;
  async_order_end(self);
  pthread_join(self->thread, NULL);
  spc_client_close(self->client);
}

/* Settles the promise of a call that is finished, and frees the call. */
static void async_settle(napi_env env, async_call *call) {
  napi_value value = NULL;
  uint8_t *bytes = NULL;
  bool good = call->error.status == SPC_OK;
  if (good) {
    value = spc__addon_new_bytes(env, (size_t)call->frame.length, &bytes);
    if (value != NULL && call->frame.length != 0)
      memcpy(bytes, call->answer, (size_t)call->frame.length);
  } else {
    value = spc__addon_error(env, &call->error);
  }
  if (value == NULL) {
    good = false;
    napi_get_and_clear_last_exception(env, &value);
  }
  if (good)
    napi_resolve_deferred(env, call->deferred, value);
  else
    napi_reject_deferred(env, call->deferred, value);
  async_free(call);
}

/* Settles what is finished; on the JS thread. */
static void async_settle_finished(napi_env env, async_client *self) {
  pthread_mutex_lock(&self->mutex);
  async_call *call = self->finished.first;
  async_list_clear(&self->finished);
  pthread_mutex_unlock(&self->mutex);
  while (call != NULL) {
    async_call *next = call->next;
    async_settle(env, call);
    call = next;
    if (--self->pending != 0) continue;
    if (self->deliver != NULL) napi_unref_threadsafe_function(env, self->deliver);
    napi_reference_unref(env, self->self, NULL);
  }
}

/* Called on the JS thread; without an environment when that is ending, and then `self` may be gone.
 */
static void async_deliver(napi_env env, napi_value function, void *context, void *data) {
  (void)function;
  (void)data;
  if (env != NULL) async_settle_finished(env, (async_client *)context);
}

/* The environment ends: nothing may call its thread-safe function after this. */
static void async_environment_ends(void *user) {
  async_client *self = (async_client *)user;
  async_stop(self);
  self->deliver = NULL;
}

static void async_finalize(napi_env env, void *data, void *hint) {
  async_client *self = (async_client *)data;
  (void)hint;
  async_stop(self);
  if (self->deliver != NULL) {
    napi_remove_env_cleanup_hook(env, async_environment_ends, self);
    napi_release_threadsafe_function(self->deliver, napi_tsfn_abort);
  }
  for (async_call *call; (call = async_take(&self->finished)) != NULL;)
    async_free(call);
  pthread_mutex_destroy(&self->mutex);
  free(self);
}

/* A request that is not wholly put yet keeps a copy of what is left. */
static bool async_keep_rest(async_call *call) {
  call->request = (uint8_t *)malloc(call->message.body_length + 1);
  if (call->request == NULL) return false;
  if (call->message.body_length != 0)
    memcpy(call->request, call->message.body, call->message.body_length);
  call->message.body = call->request;
  return true;
}

/* Sends or queues a call. On failure the call is the caller's; `call->error` says why. */
static spc_status async_submit(async_client *self, async_call *call) {
  bool ring = false;
  pthread_mutex_lock(&self->mutex);
  spc_status status = SPC_OK;
  if (self->over) {
    call->error = self->end;
    status = self->end.status;
  } else {
    bool direct = self->queued.first == NULL;
    call->frame.id = spc__client_next_id(self->last_id);
    spc__frame_encode(call->header, SPC_FRAME_REQUEST, &call->frame);
    if (direct) status = spc__shm_put(&self->client->link.shm, &call->message, &call->error);
    bool whole = spc__shm_message_done(&call->message);
    if (status == SPC_OK && !whole && !async_keep_rest(call))
      status = spc__fault(&call->error, SPC_OUT_OF_MEMORY, NULL);
    if (status == SPC_OK) {
      self->last_id = call->frame.id;
      async_append(whole ? &self->sent : &self->queued, call);
      ring = self->idle || (direct && !whole);
    } else if (direct) {
      async_order_end(self); /* part of a frame may be in the ring */
    }
  }
  pthread_mutex_unlock(&self->mutex);
  if (ring) spc__shm_ring_bell(&self->client->link.shm);
  return status;
}

/* A new call of these arguments, with the promise for it; NULL when an exception is pending. */
static async_call *async_new_call(napi_env env, const spc__addon_request *request, double room,
                                  napi_value *promise) {
  spc_error error;
  async_call *call = (async_call *)calloc(1, sizeof *call);
  if (call == NULL || napi_create_promise(env, &call->deferred, promise) != napi_ok) {
    free(call);
    spc__fault(&error, SPC_OUT_OF_MEMORY, NULL);
    spc__addon_throw(env, &error);
    return NULL;
  }
  call->deadline = spc__deadline(request->timeout_ns);
  call->frame.code = request->op;
  call->frame.length = request->bytes.length;
  call->frame.room = room >= 0 && room < 0x1p53 ? (uint64_t)room : UINT64_MAX;
  call->message.head = call->header;
  call->message.head_length = sizeof call->header;
  call->message.body = request->bytes.bytes;
  call->message.body_length = request->bytes.length;
  return call;
}

/* call(op, request, room, timeout): a promise of the answer, of `room` bytes at most. */
static napi_value async_js_call(napi_env env, napi_callback_info info) {
  napi_value argv[4], object, promise;
  size_t argc = 4;
  double room = 0;
  async_client *self = NULL;
  spc__addon_request request;
  spc_error error;
  napi_get_cb_info(env, info, &argc, argv, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) != napi_ok) return NULL;
  if (!spc__addon_request_from(env, argv[0], argv[1], argv[3], &request) ||
      napi_get_value_double(env, argv[2], &room) != napi_ok)
    return spc__addon_throw_type(
        env, "call takes an operation, a Uint8Array, the room for the answer and a timeout");
  spc_status status = SPC_OK;
  if (!self->open)
    status = spc__fault(&error, SPC_INVALID_STATE, "closed");
  else if (request.bytes.length > self->client->max_request)
    status = spc__fault_limit(&error, SPC_SIZE_LIMIT, self->client->max_request);
  if (status != SPC_OK) return spc__addon_throw(env, &error);
  async_call *call = async_new_call(env, &request, room, &promise);
  if (call == NULL) return NULL;
  if (async_submit(self, call) != SPC_OK) {
    async_settle(env, call);
  } else if (self->pending++ == 0) {
    napi_ref_threadsafe_function(env, self->deliver);
    napi_reference_ref(env, self->self, NULL);
  }
  return promise;
}

/* close(): rejects what is pending; may be called again. */
static napi_value async_js_close(napi_env env, napi_callback_info info) {
  napi_value object;
  async_client *self = NULL;
  napi_get_cb_info(env, info, NULL, NULL, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) != napi_ok || !self->open) return NULL;
  async_stop(self);
  napi_remove_env_cleanup_hook(env, async_environment_ends, self);
  napi_threadsafe_function deliver = self->deliver;
  self->deliver = NULL;
  async_settle_finished(env, self);
  napi_release_threadsafe_function(deliver, napi_tsfn_abort);
  return NULL;
}

/* Starts the thread and what it reports through; false when that can't be had. */
static bool async_start(napi_env env, async_client *self, spc_error *error) {
  napi_value name;
  spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  if (napi_create_string_latin1(env, "spicule", NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_create_threadsafe_function(env, NULL, NULL, name, 0, 1, NULL, NULL, self, async_deliver,
                                      &self->deliver) != napi_ok)
    return false;
  napi_unref_threadsafe_function(env, self->deliver);
  self->client->link.shm.order = &self->order;
  int number = pthread_create(&self->thread, NULL, async_run, self);
  if (number != 0) {
    spc__fault_errno(error, SPC_NO_THREADS, "pthread_create", number);
    napi_release_threadsafe_function(self->deliver, napi_tsfn_abort);
    return false;
  }
  /* Hooks run last in, first out, so this one runs before that of the thread-safe function. */
  napi_add_env_cleanup_hook(env, async_environment_ends, self);
  self->open = true;
  return true;
}

static napi_value async_new(napi_env env, napi_callback_info info) {
  napi_value object;
  spc_error error;
  spc_client *client = spc__addon_open(env, info, SPC_TRANSPORT_SHARED_MEMORY, &object);
  if (client == NULL) return NULL;
  async_client *self = (async_client *)calloc(1, sizeof *self);
  if (self == NULL) {
    spc_client_close(client);
    spc__fault(&error, SPC_OUT_OF_MEMORY, NULL);
    return spc__addon_throw(env, &error);
  }
  self->client = client;
  self->last_id = client->sent_id;
  pthread_mutex_init(&self->mutex, NULL);
  async_list_clear(&self->queued);
  async_list_clear(&self->sent);
  async_list_clear(&self->finished);
  if (async_start(env, self, &error)) {
    if (napi_wrap(env, object, self, async_finalize, NULL, &self->self) == napi_ok) return object;
    async_finalize(env, self, NULL);
    return NULL;
  }
  pthread_mutex_destroy(&self->mutex);
  free(self);
  spc_client_close(client);
  return spc__addon_throw(env, &error);
}

bool spc__addon_export_async(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      {.utf8name = "call", .method = async_js_call},
      {.utf8name = "close", .method = async_js_close}};
  return spc__addon_export_class(env, exports, "AsyncClient", async_new, NULL, methods,
                                 sizeof methods / sizeof methods[0]);
}

#undef ASYNC_LINGER_NS
#undef ASYNC_STALL_NS
