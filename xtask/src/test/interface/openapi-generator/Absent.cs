// What the generated C# names of two libraries that no registry at hand has: JsonSubTypes reads discriminators, of which the document has none; Polly
// tries again where a caller configures it, and none does here.
namespace JsonSubTypes { static class Absent { } }

namespace Polly
{
    public enum OutcomeType { Successful, Failure }

    public class PolicyResult<T>
    {
        public OutcomeType Outcome { get; set; }
        public T Result { get; set; }
        public System.Exception FinalException { get; set; }
    }

    public interface ISyncPolicy<T>
    {
        PolicyResult<T> ExecuteAndCapture(System.Func<T> action);
    }

    public abstract class Policy<T> : ISyncPolicy<T>
    {
        public abstract PolicyResult<T> ExecuteAndCapture(System.Func<T> action);
    }

    public interface IAsyncPolicy<T>
    {
        System.Threading.Tasks.Task<PolicyResult<T>> ExecuteAndCaptureAsync(System.Func<System.Threading.Tasks.Task<T>> action);
    }

    public abstract class AsyncPolicy<T> : IAsyncPolicy<T>
    {
        public abstract System.Threading.Tasks.Task<PolicyResult<T>> ExecuteAndCaptureAsync(System.Func<System.Threading.Tasks.Task<T>> action);
    }
}
