//! Answers in shapes other than the service's own, where the contract shows none. For tests.

use std::collections::HashMap;

use serde_json::Value;

use crate::world::World;

/// The shapes that were set, by the end of a path.
#[derive(Default)]
pub(crate) struct Shapes {
    options: Option<Value>,
    members: HashMap<&'static str, Value>,
    /// In place of the whole data.
    whole: HashMap<&'static str, Value>,
}

impl World {
    /// Makes `purchase/options` answer with this data: the contract shows no shape of its elements, so any may come.
    /// `None` restores the service's own.
    pub fn answer_options_with(&self, data: Option<Value>) {
        self.shapes.lock().options = data;
    }

    pub(crate) fn options_answer(&self) -> Option<Value> {
        self.shapes.lock().options.clone()
    }

    /// Makes an endpoint answer with these members in place of its own, where `null` drops a member: the contract
    /// shows no shape of `regionLines`, `orderSummary` and `details`, so any may come. `None` restores the service's
    /// own.
    pub fn answer_with(&self, endpoint: &'static str, members: Option<Value>) {
        let mut shapes = self.shapes.lock();
        match members {
            Some(members) => shapes.members.insert(endpoint, members),
            None => shapes.members.remove(endpoint),
        };
    }

    /// Makes an endpoint that the contract lacks answer with this data in place of its own.
    pub fn answer_whole_with(&self, endpoint: &'static str, data: Value) {
        self.shapes.lock().whole.insert(endpoint, data);
    }

    /// Returns the data of an answer with the members that were set for its endpoint.
    pub(crate) fn shaped(&self, endpoint: &'static str, mut data: Value) -> Value {
        if let Some(Value::Object(members)) = self.shapes.lock().members.get(endpoint) {
            for (name, value) in members {
                data[name] = value.clone();
            }
        }
        if let Some(whole) = self.shapes.lock().whole.get(endpoint) {
            data.clone_from(whole);
        }
        data.as_object_mut().into_iter().for_each(|data| data.retain(|_, value| !value.is_null()));
        data
    }

    pub(crate) fn answer_as_always(&self) {
        *self.shapes.lock() = Shapes::default();
    }
}
